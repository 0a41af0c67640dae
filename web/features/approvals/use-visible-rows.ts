// useVisibleRows: the rows of a long list that are in view, with a margin.
import { defaultRangeExtractor, useWindowVirtualizer, windowScroll, type Range } from '@tanstack/react-virtual'
import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import { flushSync } from 'react-dom'

export function useVisibleRows(list: RefObject<HTMLElement | null>, length: number, height: number) {
  const [top, setTop] = useState(usualTopPixels)
  const isPrinting = useIsPrinting()
  const virtualizer = useWindowVirtualizer({
    count: length,
    estimateSize: () => height,
    overscan: 6,
    scrollMargin: top,
    scrollPaddingStart: topBarPixels,
    scrollPaddingEnd: actionBarPixels,
    rangeExtractor: isPrinting ? extractPrinted : defaultRangeExtractor,
    useFlushSync: false,
    // Otherwise the first render has no rows.
    initialRect: { width: window.innerWidth, height: window.innerHeight },
    // Scrolling to where it is, as the library does at first, would compute the layout for nothing.
    scrollToFn: (offset, options, instance) => {
      if (offset !== instance.scrollOffset) windowScroll(offset, options, instance)
    },
  })
  const measuredHeight = useRef(height)
  useLayoutEffect(() => {
    if (measuredHeight.current !== height) virtualizer.measure()
    measuredHeight.current = height
  }, [virtualizer, height])
  // Messages above the list move it.
  useLayoutEffect(() => {
    const box = list.current?.getBoundingClientRect()
    if (box !== undefined) setTop(Math.round(box.top + window.scrollY))
  })
  const rows = virtualizer.getVirtualItems()
  const first = rows[0]?.index ?? 0
  return {
    first,
    last: (rows.at(-1)?.index ?? first - 1) + 1,
    /** Scrolls no more than necessary. */
    scrollTo: (position: number) => virtualizer.scrollToIndex(position),
  }
}

/** Of the list, until it is measured: below title, filters and summary. */
const usualTopPixels = 300
const topBarPixels = 110
const actionBarPixels = 90

/** Printing renders rows that are out of view, up to this number. */
const printedRows = 500

function extractPrinted({ count }: Range): number[] {
  return Array.from({ length: Math.min(count, printedRows) }, (_, index) => index)
}

function useIsPrinting(): boolean {
  const [isPrinting, setPrinting] = useState(false)
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
  return isPrinting
}
