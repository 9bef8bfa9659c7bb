import validator from '@aws/cloudformation-validate';

/** What AWS's own validator says about a template: `E3505 WorkQueue: …`. Warnings and advice are matters of taste. */
export function validationErrors(template: unknown): readonly string[] {
  const engine = new validator.CelEngine();
  try {
    const readBytes = () => new TextEncoder().encode(JSON.stringify(template, null, 1));
    const report = engine.validateStandard({ path: 'template.json', readBytes });
    const errors = report.diagnostics.filter(({ severity }) => severity === 'FATAL' || severity === 'ERROR');
    return errors.map(({ ruleId, entity, message }) => `${ruleId} ${entity?.logicalId ?? 'template'}: ${message}`);
  } finally {
    engine.free();
  }
}
