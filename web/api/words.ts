// Search by words: a text matches that has every one of them, in any order.

export function createWordFilter(typed: string): (text: string) => boolean {
  const words = typed.toLowerCase().split(/\s+/)
  return (text) => words.every((word) => text.toLowerCase().includes(word))
}
