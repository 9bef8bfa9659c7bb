#!/usr/bin/env node
// `npx healer …`: the command line, through the same step as `npm start` (installs when needed, finds a fitting Node).
process.argv.splice(2, 0, 'healer');
await import('./run.mjs');
