// Rules for oxlint (`.oxlintrc.json`): the environment is read in one place, the clock and chance come through a port.
// Plain JavaScript, since the linter loads it by itself.

const RANDOM = ['randomUUID', 'randomBytes', 'randomInt', 'getRandomValues', 'randomFillSync'];
const CRYPTO = ['node:crypto', 'crypto'];

/** Names that an outside object must not be asked for: `object.property`, also destructured and imported. */
const AMBIENT = {
  env: { objects: { process: ['env'] }, modules: { 'node:process': ['env'], process: ['env'] } },
  clock: {
    objects: { Date: ['now'], Math: ['random'], crypto: RANDOM, webcrypto: RANDOM },
    modules: Object.fromEntries(CRYPTO.map((name) => [name, RANDOM])),
  },
};

/** `process`, and `globalThis.process` just so. */
function objectName(node) {
  if (node?.type === 'Identifier') return node.name;
  return node?.type === 'MemberExpression' && node.object.name === 'globalThis' ? node.property.name : undefined;
}

/** `x.env` and `x['env']`. */
const propertyName = (node) => (node.computed ? node.property.value : node.property.name);

/** Reports each ambient member, whichever way it is taken. */
function watchMembers(ambient, report) {
  const isTaken = (object, property) => ambient.objects[object]?.includes(property);
  return {
    MemberExpression(node) {
      if (isTaken(objectName(node.object), propertyName(node))) report(node);
    },
    VariableDeclarator(node) {
      if (node.id.type !== 'ObjectPattern') return;
      const taken = node.id.properties.filter(({ key }) => isTaken(objectName(node.init), key?.name));
      for (const property of taken) report(property);
    },
    ImportSpecifier(node) {
      if (ambient.modules[node.parent.source.value]?.includes(node.imported.name)) report(node);
    },
  };
}

/** `new Date()` and `Date()` read the clock; `new Date(millis)` converts. */
function watchDates(report) {
  const check = (node) => {
    if (objectName(node.callee) === 'Date' && (node.type === 'CallExpression' || node.arguments.length === 0))
      report(node);
  };
  return { NewExpression: check, CallExpression: check };
}

const env = {
  create(context) {
    const message = 'process.env is read in lib/config.ts alone; take the value as a parameter';
    return watchMembers(AMBIENT.env, (node) => context.report({ node, message }));
  },
};

const clock = {
  create(context) {
    const message = 'the clock and chance come through the ports Clock and Ids (lib/adapters/system implements them)';
    const report = (node) => context.report({ node, message });
    return { ...watchMembers(AMBIENT.clock, report), ...watchDates(report) };
  },
};

export default { meta: { name: 'confined' }, rules: { env, clock } };
