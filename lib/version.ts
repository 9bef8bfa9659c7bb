import packageJson from '../package.json' with { type: 'json' };

/** The version of the package that was built. */
export const VERSION: string = packageJson.version;
