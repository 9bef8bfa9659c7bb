// The parameters of the template, from the stage's file `healer.<stage>.yml` (docs/deploy.md).
const { askConfiguration } = require('../scripts/ask-configuration.cjs');

/** Ends the framework's process: it would say the same once for each variable that it then cannot resolve. */
function stop(sentence) {
  process.stderr.write(`Error:\nNothing was done: ${sentence}\n`);
  process.exit(1);
}

/**
 * For `params` of serverless.yml. Without a file, and for one with faults, they are the defaults: the plugin
 * scripts/check-configuration.cjs stops what must not go on with them. An odd stage and an old Node end it here.
 */
module.exports = async ({ options }) => {
  try {
    const { parameters, faults } = await askConfiguration(options.stage ?? 'dev');
    return parameters === undefined ? stop(faults[0].message) : { default: parameters };
  } catch (error) {
    return stop(error.message);
  }
};
