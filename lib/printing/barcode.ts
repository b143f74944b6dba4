import { isEan13 } from '#lib/values/ean13.ts';
import { Html } from './html.ts';

/** Dot of a label or slip printer of 203 dots an inch, in millimetres. */
const DOT = 25.4 / 203;

/** Narrow bar of a bar code. Part 5, 5B.8. */
const BAR = 2 * DOT;

/** Bars of empty space on both sides of a bar code, without which scanners do not find it. */
const QUIET_BARS = { ean13: 18, code128: 20 } as const;

const BAR_HEIGHT = 9;

/** Dot of a QR code, if its room allows. */
const QR_DOT = 6 * DOT;

/** Units of a QR code's drawing to one of its dots. */
const QR_SCALE = 2;

/**
 * Draws a bar code as inline SVG: EAN-13 if the text is one, else Code 128. Undefined if no Code 128 holds
 * the text, or if it is wider than the room, in millimetres. Part 5, 5B.8.
 */
export async function drawBarCode(text: string, room: number): Promise<Html | undefined> {
  if (!/^[\x20-\x7e]{1,80}$/.test(text)) return undefined;
  const kind = isEan13(text) ? 'ean13' : 'code128';
  const drawing = await draw(kind, text);
  if ((drawing.columns + QUIET_BARS[kind]) * BAR > room) return undefined;
  return drawing.atSize(drawing.columns * BAR, BAR_HEIGHT);
}

/** Draws a QR code as inline SVG, at most as wide as the room, in millimetres. */
export async function drawQrCode(text: string, room: number): Promise<Html> {
  const drawing = await draw('qrcode', text);
  const size = Math.min((drawing.columns / QR_SCALE) * QR_DOT, room);
  return drawing.atSize(size, size);
}

/** Renders a QR code as a PNG in a data URI, six pixels to a dot. */
export async function qrCodeImage(text: string): Promise<string> {
  const { toBuffer } = await import('bwip-js/node');
  const options = { bcid: 'qrcode', text, eclevel: 'M', backgroundcolor: 'ffffff' };
  const png = await toBuffer({ ...options, scale: 6 / QR_SCALE, padding: 4 * QR_SCALE });
  return `data:image/png;base64,${png.toString('base64')}`;
}

async function draw(bcid: keyof typeof QUIET_BARS | 'qrcode', text: string) {
  const { toSVG } = await import('bwip-js/node');
  const svg = toSVG({ bcid, text, scale: 1 }).trim();
  const [, columns = ''] = /viewBox="0 0 (\d+) /.exec(svg) ?? [];
  const atSize = (width: number, height: number) => {
    const size = `width="${width.toFixed(3)}mm" height="${height.toFixed(3)}mm"`;
    return new Html(
      svg.replace('<svg', `<svg ${size} preserveAspectRatio="none" shape-rendering="crispEdges"`),
    );
  };
  return { columns: Number(columns), atSize };
}
