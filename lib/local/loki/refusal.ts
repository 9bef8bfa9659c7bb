/** An answer other than 200: Loki sends its errors as plain text. */
export class LokiHttpError extends Error {
  override readonly name = 'LokiHttpError';
  readonly status: number;

  constructor(status: number, text: string) {
    super(text);
    this.status = status;
  }
}

export const badRequest = (text: string): LokiHttpError => new LokiHttpError(400, text);
