// Counts what calls of a method add up to in each turn of the event loop.
import { observeCalls } from './statement-recorder.ts'

export function countPerTurn(
  target: object,
  name: string,
  count: (receiver: unknown, values: readonly unknown[]) => number,
): { readonly stop: () => readonly number[] } {
  const turns = [0]
  const restore = observeCalls(target, name, (receiver, values) => {
    turns[turns.length - 1] = (turns.at(-1) ?? 0) + count(receiver, values)
  })
  const endTurn = () => {
    turns.push(0)
    turn = setImmediate(endTurn)
  }
  let turn = setImmediate(endTurn)
  return {
    stop: () => {
      clearImmediate(turn)
      restore()
      return turns
    },
  }
}
