// How far long work is, told to whoever waits for it: a line now and then, never on the data's own stream.
import type { World } from '#cli/world.ts'

/** Tells the count at most every five seconds; `of` is how many there are about, where that is known. */
export const progressOf = (
  { clock, tell }: Pick<World, 'clock' | 'tell'>,
  doing: string,
): ((count: number, of?: number) => void) => {
  let toldAt = clock()
  return (count, of) => {
    if (clock() - toldAt < everyMicroseconds) return
    toldAt = clock()
    const share = of === undefined || of < count ? '' : ` (${Math.floor((count / of) * 100)} %)`
    tell(`${doing}: ${count.toLocaleString('en')} rows${share}\n`)
  }
}

const everyMicroseconds = 5_000_000
