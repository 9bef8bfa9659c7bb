// Source maps of Healer's own code only: mappings of the bundled packages would be more than half of each zip, and a
// stack trace inside them says enough with its minified names. A package's file that brings a map of its own, with a single
// mapping, adds no more than that to the bundle's map.
const { readFile } = require('node:fs/promises');

const TINY_MAP = Buffer.from('{"version":3,"sources":[""],"mappings":"AAAA"}').toString('base64');

const withoutPackageMaps = {
  name: 'without-package-maps',
  setup(build) {
    build.onLoad({ filter: /[\\/]node_modules[\\/].*\.[cm]?js$/ }, async ({ path }) => ({
      contents: `${await readFile(path, 'utf8')}\n//# sourceMappingURL=data:application/json;base64,${TINY_MAP}`,
      loader: 'js',
    }));
  },
};

module.exports = [withoutPackageMaps];
