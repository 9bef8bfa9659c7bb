const born = Date.now();

/** Does not end when it is asked to hang or to spin; tells otherwise which worker answered. */
export async function handler(event: { does?: 'hang' | 'spin' }) {
  if (event.does === 'hang') await new Promise(() => {});
  while (event.does === 'spin');
  return { born };
}
