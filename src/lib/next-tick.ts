// Lets everybody else have a turn: long work is done in slices with this between them.

export const nextTick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
