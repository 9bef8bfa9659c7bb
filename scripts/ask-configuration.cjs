// Asks the command `healer config` for a stage's configuration, in a Node that runs the project's sources: the framework may
// run on an older one. Plain JavaScript, for infra/parameters.cjs and the plugin.
const { execFile } = require('node:child_process');
const { dirname, join } = require('node:path');
const { findNode } = require('./find-node.cjs');

const service = dirname(__dirname);
const command = join(service, 'lib', 'cli', 'main.ts');

/** What was asked already: the framework asks for the parameters, the plugin for all of it. */
const answers = new Map();

/**
 * What `healer config --json` says of a stage: `parameters` and, where its file is there, `deployment` and `secrets`. A
 * file with faults has `faults`, and the default `parameters`; a stage of an odd name has `faults` alone.
 */
function askConfiguration(stage) {
  const answer = answers.get(stage) ?? run(['config', '--json', '--or-defaults', '--stage', stage]);
  answers.set(stage, answer);
  return answer;
}

/** What keeps a deployment from its secrets: `faults`, or a `warning` where AWS lets the operator not look. */
const askSecrets = (stage, profile) =>
  run(
    ['config', '--json', '--secrets', '--stage', stage],
    profile === undefined ? process.env : { ...process.env, AWS_PROFILE: profile },
  );

const run = async (words, env = process.env) => {
  const node = findNode();
  return new Promise((resolve, reject) => {
    execFile(node, [command, ...words], { cwd: service, env }, (error, stdout, stderr) => {
      try {
        resolve(JSON.parse(stdout));
      } catch {
        reject(new Error(`healer ${words[0]} failed: ${stderr.trim() || error?.message}`));
      }
    });
  });
};

module.exports = { askConfiguration, askSecrets };
