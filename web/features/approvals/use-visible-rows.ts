// useVisibleRows: the rows of a long list that are in view, with a margin.
import { useEffect, useState, type RefObject } from 'react'
import { flushSync } from 'react-dom'

const spareRows = 12

/** Printing renders rows that are out of view, up to this number. */
const printedRows = 500

export function useVisibleRows(
  list: RefObject<HTMLElement | null>,
  length: number,
  height: number,
): { readonly first: number; readonly last: number } {
  const [first, setFirst] = useState(0)
  const [isPrinting, setPrinting] = useState(false)
  const rowsInView = Math.ceil(window.innerHeight / height) + 2 * spareRows
  useEffect(() => {
    const update = () => {
      const top = list.current?.getBoundingClientRect().top ?? 0
      const above = Math.max(0, Math.floor(-top / height) - spareRows)
      // In steps, so that small scrolls do not render.
      setFirst(above - (above % 4))
    }
    update()
    window.addEventListener('scroll', update, { passive: true })
    window.addEventListener('resize', update)
    return () => {
      window.removeEventListener('scroll', update)
      window.removeEventListener('resize', update)
    }
  }, [list, height, length])
  useEffect(() => {
    // The browser prints as soon as this returns.
    const setPrintingTo = (isOn: boolean) => () => flushSync(() => setPrinting(isOn))
    const [begin, end] = [setPrintingTo(true), setPrintingTo(false)]
    window.addEventListener('beforeprint', begin)
    window.addEventListener('afterprint', end)
    return () => {
      window.removeEventListener('beforeprint', begin)
      window.removeEventListener('afterprint', end)
    }
  }, [])
  if (isPrinting) return { first: 0, last: Math.min(length, printedRows) }
  const start = Math.min(first, Math.max(0, length - 1))
  return { first: start, last: Math.min(length, start + rowsInView + 4) }
}
