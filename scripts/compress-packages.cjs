// Plugin of the Serverless Framework, named after serverless-esbuild in serverless.yml: that plugin packs each function at
// zlib's fastest level, which makes a zip an eighth larger than it need be, and a cold start reads all of it.
const { readFileSync, writeFileSync } = require('node:fs');
const { unzipSync, zipSync } = require('fflate');

/** The same bytes for the same sources: the framework deploys what has changed. Files may be read by all. */
const ENTRY = { level: 9, mtime: new Date(1980, 0, 1), os: 3, attrs: 0o100644 * 0x10000 };

function compress(path) {
  const files = Object.entries(unzipSync(readFileSync(path))).filter(([name]) => !name.endsWith('/'));
  writeFileSync(path, zipSync(Object.fromEntries(files.map(([name, bytes]) => [name, [bytes, ENTRY]]))));
}

class CompressPackages {
  constructor(serverless) {
    this.functions = serverless.service.functions;
    this.hooks = { 'before:package:createDeploymentArtifacts': () => this.compressAll() };
  }

  compressAll() {
    for (const { package: packed } of Object.values(this.functions)) {
      if (packed?.artifact) compress(packed.artifact);
    }
  }
}

module.exports = CompressPackages;
