/** Divides an amount over rooms in their order: each takes as much as it has room for of what is left. */
export function fill(amount: number, rooms: readonly number[]): number[] {
  let left = amount;
  return rooms.map((room) => {
    const part = Math.min(room, left);
    left -= part;
    return part;
  });
}
