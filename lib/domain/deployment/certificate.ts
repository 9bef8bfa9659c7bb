const PEM = /-----BEGIN CERTIFICATE-----\n[\w+/=\n]+\n-----END CERTIFICATE-----/;

/**
 * A certificate authority as PEM in base64, on one line, from that or from PEM.
 * @throws RangeError when the text is neither, or holds a private key
 */
export function toCertificate(text: string): string {
  const pem = text.startsWith('-----') ? text : Buffer.from(text, 'base64').toString();
  if (!PEM.test(pem.replaceAll('\r', '')) || /PRIVATE KEY/.test(pem)) throw new RangeError('no certificate');
  return Buffer.from(pem).toString('base64');
}
