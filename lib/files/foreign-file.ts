/** Leading bytes of a file that identify its type. */
const HEAD = 1024;

/** The signature of a compound file: a legacy Office document, or an encrypted workbook. */
const COMPOUND = Buffer.from('d0cf11e0a1b11ae1', 'hex');

/** The name of the stream with an encrypted workbook in a compound file. */
const ENCRYPTED = Buffer.from('EncryptedPackage', 'utf16le');

/** Returns the type of a file that is often mistaken for a workbook; undefined for any other. */
export function kindOfForeignFile(content: Buffer): 'xls' | 'protected' | 'html' | 'csv' | undefined {
  if (content.subarray(0, COMPOUND.length).equals(COMPOUND))
    return content.includes(ENCRYPTED) ? 'protected' : 'xls';
  const head = textOf(content.subarray(0, HEAD));
  // Text files contain no NUL.
  if (head.includes('\0')) return undefined;
  if (/<(!doctype html|html|head|meta|body|table)\b/i.test(head)) return 'html';
  return /^\s*[<{[%]/.test(head) || !/[,;\t]/.test(head) ? undefined : 'csv';
}

/** Decodes the beginning of a text: only Excel's "Unicode text" is no superset of ASCII. */
function textOf(head: Buffer): string {
  return head.toString(head[0] === 0xff && head[1] === 0xfe ? 'utf16le' : 'latin1');
}
