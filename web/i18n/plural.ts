// Pluralization.

export function many(count: number, one: string, several: string): string {
  return `${count} ${count === 1 ? one : several}`
}
