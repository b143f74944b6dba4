import * as z from 'zod';
import type { Locale } from '#lib/values/text.ts';
import { drawQrCode } from './barcode.ts';
import { type Html, html } from './html.ts';
import { type PrintedPage, renderPage } from './page.ts';

/** Papers of a slip: a roll of 80 mm, or A4. */
export const Paper = z.enum(['80', 'a4']);

export type Paper = z.output<typeof Paper>;

/** Query string of what prints as a page alone. */
export const SlipQuery = z.strictObject({
  format: z.enum(['html']).default('html'),
  paper: Paper.default('80'),
});

/** A label and its value, such as a sum. */
export interface Entry {
  readonly label: string;
  readonly value: string;
}

/** Sold or returned goods: `details` are price and quantity, discount, tax. */
export interface SlipLine {
  readonly name: string;
  readonly details: readonly string[];
  readonly amount: string;
}

/** Contents of a slip, in the language of the caller. Part 5, 5B.8. */
export interface Slip {
  readonly title: string;
  /** Requisites of the company. */
  readonly head: readonly string[];
  readonly facts: readonly Entry[];
  readonly lines: readonly SlipLine[];
  readonly totals: readonly Entry[];
  /** Blocks of sums: taxes, payments, the client's balances. */
  readonly blocks: readonly { readonly title: string | null; readonly entries: readonly Entry[] }[];
  readonly remarks: readonly string[];
  /** Text of its QR code. */
  readonly qr: string | null;
  /** Signatories: each has a line to sign on. */
  readonly signatures: readonly string[];
}

/** Room for a QR code on the narrowest paper, in millimetres. */
const QR_ROOM = 60;

const STYLE = `
* { box-sizing: border-box; }
body { margin: 0 auto; color: #000; background: #fff; font: 9pt/1.3 Arial, 'Liberation Sans', sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.3em; margin: 2mm 0; text-align: center; }
h2 { font-size: 1em; margin: 2mm 0 0.5mm; }
header, .centre { text-align: center; }
table { width: 100%; border-collapse: collapse; border-top: 1px dashed #000; margin-top: 1.5mm; padding-top: 1mm; }
td { padding: 0.4mm 0; vertical-align: bottom; }
td:last-child { text-align: right; padding-left: 2mm; }
.amount, .totals td:last-child, .block td:last-child { white-space: nowrap; }
.facts td:first-child { overflow-wrap: normal; }
tr { break-inside: avoid; }
.name td { padding-top: 1mm; text-align: left; }
.totals { font-weight: bold; font-size: 1.15em; }
.signature { margin-top: 8mm; border-bottom: 1px solid #000; }
`;

const PAPER_STYLES: Readonly<Record<Paper, string>> = {
  '80': '@page { size: 80mm 297mm; margin: 3mm 4mm; } @media screen { body { width: 72mm; padding: 3mm 0; } }',
  a4: '@page { size: A4; margin: 15mm; } body { font-size: 11pt; } @media screen { body { width: 180mm; padding: 10mm 0; } }',
};

/** Lays out a slip as a page to print. 422 if it is over 4 MB. */
export async function renderSlip(slip: Slip, paper: Paper, locale: Locale): Promise<PrintedPage> {
  const { title, head, facts, lines, totals, blocks, remarks, qr, signatures } = slip;
  const body = html`<header>${head.map((line) => html`<div>${line}</div>`)}</header>
<h1>${title}</h1>
${tableOf(facts, 'facts')}
${lines.length > 0 && html`<table>${lines.map(rowsOfLine)}</table>`}
${tableOf(totals, 'totals')}
${blocks.map((block) => html`${block.title !== null && html`<h2>${block.title}</h2>`}${tableOf(block.entries, 'block')}`)}
${remarks.map((remark) => html`<p>${remark}</p>`)}
${qr !== null && html`<div class="centre">${await drawQrCode(qr, QR_ROOM)}</div>`}
${signatures.map((signatory) => html`<div class="signature">${signatory}</div>`)}`;
  return renderPage({ locale, title, style: STYLE + PAPER_STYLES[paper], body });
}

function tableOf(entries: readonly Entry[], kind: string): Html | false {
  const rows = entries.map(({ label, value }) => html`<tr><td>${label}</td><td>${value}</td></tr>`);
  return rows.length > 0 && html`<table class="${kind}">${rows}</table>`;
}

function rowsOfLine({ name, details, amount }: SlipLine, index: number): Html {
  const [price = '', ...others] = details;
  return html`<tr class="name"><td colspan="2">${index + 1}. ${name}</td></tr>
<tr><td>${price}</td><td class="amount">${amount}</td></tr>
${others.map((detail) => html`<tr><td colspan="2">${detail}</td></tr>`)}`;
}
