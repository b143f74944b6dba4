import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Answer } from './answer.ts';

/** An answer that is shorter isn't worth it: it travels in one packet either way. */
const WORTH_BYTES = 1024;

const pack = promisify(gzip);

/**
 * Compresses an answer of text, if the caller takes that. The content network would, if it kept answers, and
 * the APIs can't. Files come as they are, and fixed pages are packed already.
 */
export async function compressed(answer: Answer, accepted = ''): Promise<Answer> {
  const { body, headers, isBase64Encoded } = answer;
  if (isBase64Encoded || headers['content-encoding'] !== undefined) return answer;
  if (Buffer.byteLength(body) < WORTH_BYTES) return answer;
  const told = { ...headers, vary: 'accept-encoding' };
  if (!takesGzip(accepted)) return { ...answer, headers: told };
  const packed = await pack(body);
  return {
    ...answer,
    headers: { ...told, 'content-encoding': 'gzip' },
    body: packed.toString('base64'),
    isBase64Encoded: true,
  };
}

function takesGzip(accepted: string): boolean {
  const found = /(?:^|,)\s*(?:gzip|\*)\s*(?:;\s*q=([\d.]+))?\s*(?:,|$)/i.exec(accepted);
  return found !== null && Number(found[1] ?? 1) > 0;
}
