// Plugin of the Serverless Framework: before a deployment it looks at the stage's file, the words of the call and the
// secrets, and stops with every fault and what to write where, before anything is packaged or uploaded.
const { askConfiguration, askSecrets } = require('./ask-configuration.cjs');

const sayFault = ({ path, message }) => (path === '' ? message : `${path} ${message}`);

/** What keeps a deployment from its configuration, in one sentence each. Values are never repeated. */
function findFaultsOfDeploy({ stage, file, faults = [], deployment }, options) {
  const name = file ?? `healer.${stage}.yml`;
  const found = faults.map(sayFault);
  if (file === null) found.push(`There is no ${name} here: npx healer init --stage ${stage} asks and writes it.`);
  if (options.param !== undefined) found.push(`--param sets nothing here: write the value into ${name}.`);
  if (deployment !== undefined && options.region !== undefined && options.region !== deployment.region) {
    found.push(`--region contradicts ${name}, whose region is ${deployment.region}: leave it out, or change the file.`);
  }
  return found;
}

/**
 * Packaging goes on without a file, with the defaults. Other commands that deploy nothing have to know where the stage is: by
 * a file without faults, or when they are told the region, whatever the file says.
 */
function findFaultsOfOther(command, { stage, file, faults = [] }, options) {
  if (command === 'package') return faults.map(sayFault);
  if (options.region !== undefined) return [];
  const unknown = `There is no healer.${stage}.yml here, so it is not known where the stage is: name its region with --region.`;
  return file === null ? [unknown] : faults.map(sayFault);
}

/** Where the framework's uploads go, and what to do when the bucket is in the way. */
const sayBucket = (stage) =>
  'Uploads lie in a bucket of the stack, which gets a name of its own from CloudFormation; if it is gone or cannot be ' +
  `used, take the stack away with npx serverless remove --stage ${stage} (the tables stay) and deploy again as ` +
  'docs/deploy.md says under "Removal".';

const isBucketFault = ({ code = '', message = '' }) =>
  /BUCKET|^AWS_S3_/.test(code) || /ServerlessDeploymentBucket/.test(message);

class CheckConfiguration {
  constructor(serverless, _options, { log }) {
    this.serverless = serverless;
    this.log = log;
    this.hooks = { initialize: () => this.check(), error: (error) => this.explain(error) };
  }

  stage() {
    return this.serverless.service.provider.stage;
  }

  async check() {
    const { commands, options } = this.serverless.processedInput;
    const answer = await askConfiguration(this.stage());
    if (commands[0] !== 'deploy') return this.stopAt(findFaultsOfOther(commands[0], answer, options), 'done');
    this.stopAt(findFaultsOfDeploy(answer, options), 'deployed');
    const { faults = [], warning } = await askSecrets(this.stage(), options['aws-profile']);
    this.stopAt(faults.map(sayFault), 'deployed');
    if (warning !== undefined) this.log.warning(warning);
  }

  stopAt(faults, deed) {
    if (faults.length === 0) return;
    const list = faults.map((fault) => `- ${fault}`).join('\n');
    const count = faults.length === 1 ? '1 fault' : `${faults.length} faults`;
    throw new this.serverless.classes.Error(`Nothing was ${deed}: ${count}.\n${list}`, 'HEALER_CONFIGURATION');
  }

  explain(error) {
    if (isBucketFault(error)) this.log.notice(sayBucket(this.stage()));
  }
}

module.exports = CheckConfiguration;
