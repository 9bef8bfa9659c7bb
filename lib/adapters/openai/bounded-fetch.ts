/** The largest body that is read; an answer of 30,000 tokens is about a tenth of it. */
const MAX_BODY_BYTES = 1024 * 1024;

/** Thrown by reading a body that is longer than a mebibyte. */
export class HugeBodyError extends Error {
  override readonly name = 'HugeBodyError';
}

/**
 * `fetch` for one call of the SDK: follows no redirect, so that the key goes nowhere else; reads no more than
 * {@link MAX_BODY_BYTES}; and tells `onBroken` of a connection that broke, since such a call may have been counted by the
 * endpoint and is not to be repeated on the same reservation.
 */
export const boundedFetch =
  (onBroken: (error: unknown) => void): typeof fetch =>
  async (input, init) => {
    const response = await fetch(input, { ...init, redirect: 'manual' }).catch((error: unknown) => {
      onBroken(error);
      throw error;
    });
    if (response.body === null) return response;
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(atMost(MAX_BODY_BYTES)), { status, statusText, headers });
  };

function atMost(limit: number): TransformStream<Uint8Array, Uint8Array> {
  let seen = 0;
  return new TransformStream({
    transform(chunk, controller) {
      seen += chunk.byteLength;
      if (seen > limit) controller.error(new HugeBodyError(`the answer is longer than ${limit} bytes`));
      else controller.enqueue(chunk);
    },
  });
}
