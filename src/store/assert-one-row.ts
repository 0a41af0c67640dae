// Assertion: an update by key found its row, so that no change is lost in silence.

export function assertOneRow(changedCount: number): void {
  if (changedCount !== 1) throw new Error(`an update of one row changed ${changedCount} rows`)
}
