/**
 * Import this first, for its effect: functions log and count nothing in this process. Their logger and metrics read the
 * environment when they are loaded.
 */
Object.assign(process.env, { POWERTOOLS_LOG_LEVEL: 'SILENT', POWERTOOLS_METRICS_DISABLED: 'true' });
