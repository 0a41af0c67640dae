// A number with its noun.

export const many = (count: number, one: string, several: string): string =>
  `${count} ${count === 1 ? one : several}`
