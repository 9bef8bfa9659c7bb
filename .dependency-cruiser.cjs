/**
 * Import directions: functions → wiring → app → domain; adapters implement lib/app/ports.ts and meet app only in wiring.
 * `npm run check:imports` runs them over functions/ and lib/; test/imports.test.ts plants a violation of each.
 */
const OUTSIDE_LOCAL = '^(?:functions/|lib/(?!local/|cli/))';

/** What domain may use besides itself: pure code. Hashing and compressing are; what reads the world is not. */
const PURE = [
  '^lib/domain/',
  '^lib/flow\\.ts$',
  '^(?:node:)?(?:crypto|zlib)$',
  'node_modules/(?:zod|re2js|yaml|smol-toml|@secretlint/[^/]+|@lezer/[^/]+|@grafana/lezer-logql|fflate)/',
];

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'Modules that need each other are one module, or the shared part is a third.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'resolvable',
      comment: 'An import that leads nowhere escapes every other rule.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'declared-packages',
      comment: 'Shipped code imports what package.json lists under dependencies; the local stack may use the others.',
      severity: 'error',
      from: { path: OUTSIDE_LOCAL },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'functions-use-wiring',
      comment: 'An entry point hands over to its wiring and edge; it joins nothing by itself.',
      severity: 'error',
      from: { path: '^functions/' },
      to: { path: '^lib/', pathNot: '^lib/(?:wiring/|edge/|logger\\.ts$|metrics\\.ts$)' },
    },
    {
      name: 'nobody-uses-functions',
      comment: 'Entry points are entered by Lambda, and by what stands in for it.',
      severity: 'error',
      from: { path: '^lib/(?!local/|cli/)' },
      to: { path: '^functions/' },
    },
    {
      name: 'functions-alone-use-wiring',
      comment: 'Wiring is the outermost layer; the local stack and the command may use it too.',
      severity: 'error',
      from: { path: '^lib/', pathNot: '^lib/(?:wiring|local|cli)/' },
      to: { path: '^lib/wiring/' },
    },
    {
      name: 'adapters-meet-app-in-wiring',
      comment: 'Use cases, domain and edge know ports, never what implements them.',
      severity: 'error',
      from: { path: '^lib/(?:app|domain|edge)/' },
      to: { path: '^lib/adapters/' },
    },
    {
      name: 'adapters-know-ports-alone',
      comment: 'An adapter implements lib/app/ports.ts; it calls no use case, edge or other side.',
      severity: 'error',
      from: { path: '^lib/adapters/' },
      to: { path: '^lib/(?:app|edge|wiring)/', pathNot: '^lib/app/ports\\.ts$' },
    },
    {
      name: 'app-is-inside',
      comment: 'Use cases take ports and values; parsing, wire formats and configuration stay outside.',
      severity: 'error',
      from: { path: '^lib/app/' },
      to: { path: '^lib/(?:edge|config\\.ts)' },
    },
    {
      name: 'domain-is-pure',
      comment: 'Domain imports domain, flow.ts and pure packages: no input, output, clock or randomness.',
      severity: 'error',
      from: { path: '^lib/(?:domain/|flow\\.ts$)' },
      to: { pathNot: PURE, couldNotResolve: false },
    },
    {
      name: 'local-is-a-leaf',
      comment: 'The local stack and the command may import everything; nothing that is deployed imports them.',
      severity: 'error',
      from: { path: OUTSIDE_LOCAL },
      to: { path: '^lib/(?:local|cli)/' },
    },
    {
      name: 'client-stands-alone',
      comment: 'The API client can be copied into another project.',
      severity: 'error',
      from: { path: '^lib/client/' },
      to: { path: '^(?:lib|functions)/', pathNot: '^lib/client/' },
    },
    {
      name: 'nobody-imports-tests',
      comment: 'Test support stays out of what is shipped and of what runs on a laptop.',
      severity: 'error',
      from: { path: '^(?:functions|lib)/' },
      to: { path: '^test/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // Types are imports too: a use case that knows an adapter's type knows the adapter.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'types', 'default'] },
  },
};
