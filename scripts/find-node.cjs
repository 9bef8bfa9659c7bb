// Finds a Node that runs the project's TypeScript sources. Plain JavaScript without dependencies: it is asked by whatever
// Node (20 or newer) the machine has.
const { spawnSync } = require('node:child_process');
const { dirname, join } = require('node:path');

/** The first Node that runs TypeScript sources without a flag. */
const MIN_NODE = [22, 18];

const isEnough = (version) => {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number);
  return major > MIN_NODE[0] || (major === MIN_NODE[0] && minor >= MIN_NODE[1]);
};

/** The Node that npm has installed with the project, where there is one for this platform. */
function findPinned() {
  try {
    const folder = dirname(require.resolve(`node-${process.platform}-${process.arch}/package.json`));
    const node = join(folder, 'bin', 'node');
    return spawnSync(node, ['--version']).status === 0 ? node : undefined;
  } catch {
    return undefined;
  }
}

/** The pinned Node, else this process's own, when it is new enough. @throws Error with what to do */
function findNode() {
  const node = findPinned() ?? (isEnough(process.version) ? process.execPath : undefined);
  if (node !== undefined) return node;
  throw new Error(
    `Node ${MIN_NODE.join('.')} or newer is needed (24 is recommended), and this is ${process.version}. ` +
      `There is no packaged Node for ${process.platform}-${process.arch}: install Node 24 and put it first on the PATH.`,
  );
}

module.exports = { findNode };
