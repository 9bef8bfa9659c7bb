import type { World } from '../prove-outages/world.ts';
import type { PlantedRun } from './plant.ts';

/** The play's agent opens a pull request, and a person answers, both with the words that are planted. */
export async function speakOnGitHub({ github }: World, { place, spoken }: PlantedRun): Promise<void> {
  if (spoken.length === 0) return;
  const at = `/repos/${place.repository}`;
  const ask = async (method: string, path: string, body?: object) => {
    const { status, data } = await github.asAdmin(method, `${at}${path}`, body);
    if (status >= 300) throw new Error(`${method} ${at}${path} answered ${status}`);
    return data as { readonly number: number; readonly object: { readonly sha: string } };
  };
  const main = await ask('GET', '/git/ref/heads/main');
  const branch = `${place.playId}/rex`;
  await ask('POST', '/git/refs', { ref: `refs/heads/${branch}`, sha: main.object.sha });
  await ask('PUT', '/contents/notes.md', {
    message: 'Add notes',
    content: Buffer.from('notes\n').toString('base64'),
    branch,
  });
  const body = spoken.join('\n\n');
  const pull = await ask('POST', '/pulls', { title: `Rename: ${spoken[0]}`, head: branch, base: 'main', body });
  await ask('POST', `/issues/${pull.number}/comments`, { body });
}
