/** Bytes at the beginning of a file by which its kind is told. */
const HEAD = 1024;

/** The first bytes of a compound file: a document of an old office program, or an encrypted workbook. */
const COMPOUND = Buffer.from('d0cf11e0a1b11ae1', 'hex');

/** The name of the stream in which a compound file holds an encrypted workbook. */
const ENCRYPTED = Buffer.from('EncryptedPackage', 'utf16le');

/** Finds what a file is that is no workbook, if people often take it for one; undefined for any other. */
export function kindOfForeignFile(content: Buffer): 'xls' | 'protected' | 'html' | 'csv' | undefined {
  if (content.subarray(0, COMPOUND.length).equals(COMPOUND))
    return content.includes(ENCRYPTED) ? 'protected' : 'xls';
  const head = textOf(content.subarray(0, HEAD));
  // No text has this sign.
  if (head.includes('\0')) return undefined;
  if (/<(!doctype html|html|head|meta|body|table)\b/i.test(head)) return 'html';
  return /^\s*[<{[%]/.test(head) || !/[,;\t]/.test(head) ? undefined : 'csv';
}

/** Reads the beginning of a text: only Excel's "Unicode text" is no superset of ASCII. */
function textOf(head: Buffer): string {
  return head.toString(head[0] === 0xff && head[1] === 0xfe ? 'utf16le' : 'latin1');
}
