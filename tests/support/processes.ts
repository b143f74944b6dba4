import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/* Processes and their sockets, read from /proc: only Linux has it. */

const LISTENING = '0A';

/** Lists a process and all that it began, with their sockets. */
export function treeOf(pid = 0) {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && isRunning(Number(name)))
    .map((name) => ({ pid: Number(name), parent: Number(statOf(Number(name))[1]) }));
  const tree = [pid];
  for (const parent of tree)
    tree.push(...parents.filter((each) => each.parent === parent).map((each) => each.pid));
  return tree.map((each) => ({ pid: each, name: processName(each), sockets: listeningOf(each) }));
}

/** Reads the state of a process and the fields after it; a zombie has exited without being waited for. */
function statOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  } catch {
    return [];
  }
}

export function isRunning(pid: number): boolean {
  const [state] = statOf(pid);
  return state !== undefined && state !== 'Z';
}

export function processName(pid: number): string {
  return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
}

function listeningOf(pid: number) {
  const inodes = readdirSync(`/proc/${pid}/fd`).map((fd) => linkOf(`/proc/${pid}/fd/${fd}`));
  return ['tcp', 'tcp6']
    .flatMap((kind) => readFileSync(`/proc/${pid}/net/${kind}`, 'utf8').trim().split('\n').slice(1))
    .map((row) => row.trim().split(/\s+/))
    .filter(([, , , state, , , , , , inode]) => state === LISTENING && inodes.includes(`socket:[${inode}]`))
    .map(([, address = '']) => ({ host: address.split(':')[0] ?? '' }));
}

/** Reads the target of a descriptor; it may have been closed in between. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
