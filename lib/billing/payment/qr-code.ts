/** Draws a link as a QR code: a PNG as a data URI. */
export async function pictureOf(link: string): Promise<string> {
  const { default: qrcode } = await import('qrcode');
  return qrcode.toDataURL(link, { type: 'image/png', errorCorrectionLevel: 'M', margin: 4, scale: 6 });
}
