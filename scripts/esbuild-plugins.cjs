// Source maps of Healer's own code only: mappings of the bundled packages would be more than half of each zip, and a
// stack trace inside them says enough with its minified names. A package's file that brings a map of its own, with a single
// mapping, adds no more than that to the bundle's map.
const { readFile } = require('node:fs/promises');

const TINY_MAP = Buffer.from('{"version":3,"sources":[""],"mappings":"AAAA"}').toString('base64');

const withoutMap = (code) => ({
  contents: `${code}\n//# sourceMappingURL=data:application/json;base64,${TINY_MAP}`,
  loader: 'js',
});

const withoutPackageMaps = {
  name: 'without-package-maps',
  setup(build) {
    build.onLoad({ filter: /[\\/]node_modules[\\/].*\.[cm]?js$/ }, async ({ path }) =>
      withoutMap(await readFile(path, 'utf8')),
    );
  },
};

// Of OpenAI's client the chat completions alone: its constructor makes an object of every other part of the API, which no
// function calls and which are half of its size. Each class of theirs becomes an empty one of the same name.
const chatCompletionsOnly = {
  name: 'chat-completions-only',
  setup(build) {
    build.onLoad({ filter: /[\\/]openai[\\/]resources[\\/].*\.m?js$/ }, async ({ path }) => {
      if (/[\\/]resources[\\/]chat[\\/]|[\\/]index\.m?js$/.test(path)) return undefined;
      const source = await readFile(path, 'utf8');
      const names = [...source.matchAll(/^export class (\w+)/gm)].map(([, name]) => name);
      return withoutMap(names.map((name) => `export class ${name} {}`).join('\n'));
    });
  },
};

// A Lambda function gets its credentials from its environment. The SDK's other sources (profiles, single sign-on, processes,
// web identities), with the service clients that they bring, pass on to the next link, as they do where nothing is set up.
const CREDENTIALS = { sso: 'fromSSO', ini: 'fromIni', process: 'fromProcess', 'web-identity': 'fromTokenFile' };
const environmentCredentials = {
  name: 'environment-credentials',
  setup(build) {
    build.onLoad(
      { filter: /[\\/]@aws-sdk[\\/]credential-provider-(?:sso|ini|process|web-identity)[\\/]/ },
      ({ path }) => {
        const [, source] = /credential-provider-(sso|ini|process|web-identity)/.exec(path);
        const pass = "async () => { throw Object.assign(new Error('not in Lambda'), { tryNextLink: true }); }";
        return withoutMap(`export const ${CREDENTIALS[source]} = () => ${pass};`);
      },
    );
  },
};

module.exports = [environmentCredentials, chatCompletionsOnly, withoutPackageMaps];
