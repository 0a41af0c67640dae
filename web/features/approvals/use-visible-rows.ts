// useVisibleRows: the rows of a long list that are in view, with a margin.
import { useWindowEvent } from '@mantine/hooks'
import { defaultRangeExtractor, useWindowVirtualizer, windowScroll, type Range } from '@tanstack/react-virtual'
import { startTransition, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import { flushSync } from 'react-dom'

export function useVisibleRows(list: RefObject<HTMLElement | null>, length: number, height: number) {
  /** Null until it is measured. */
  const [measuredTop, setTop] = useState<number | null>(null)
  const top = measuredTop ?? usualTopPixels
  const isPrinting = useIsPrinting()
  const virtualizer = useWindowVirtualizer({
    count: Math.ceil(length / blockRows),
    estimateSize: () => height * blockRows,
    // The first render is of what is in view.
    overscan: measuredTop === null ? 0 : 1,
    scrollMargin: top,
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
  // Messages above the list move it. What is in view is shown first.
  useLayoutEffect(() => {
    const box = list.current?.getBoundingClientRect()
    if (box !== undefined) startTransition(() => setTop(Math.round(box.top + window.scrollY)))
  })
  const blocks = virtualizer.getVirtualItems()
  const first = (blocks[0]?.index ?? 0) * blockRows
  return {
    first,
    last: Math.min(((blocks.at(-1)?.index ?? -1) + 1) * blockRows, length),
    /** Scrolls no more than necessary. */
    scrollTo: (position: number) => {
      const rowTop = top + position * height
      const lowest = rowTop + height + actionBarPixels - window.innerHeight
      window.scrollTo({ top: Math.min(Math.max(window.scrollY, lowest), rowTop - topBarPixels) })
    },
  }
}

/** Rows are shown in blocks, because the library measures each of its items, at every change. */
const blockRows = 4

/** Of the list, until it is measured: below title, filters and summary. */
const usualTopPixels = 300
const topBarPixels = 110
const actionBarPixels = 90

/** Printing renders rows that are out of view, up to this number. */
const printedRows = 500

function extractPrinted({ count }: Range): number[] {
  return Array.from({ length: Math.min(count, printedRows / blockRows) }, (_, index) => index)
}

function useIsPrinting(): boolean {
  const [isPrinting, setPrinting] = useState(false)
  // The browser prints as soon as this returns.
  useWindowEvent('beforeprint', () => flushSync(() => setPrinting(true)))
  useWindowEvent('afterprint', () => flushSync(() => setPrinting(false)))
  return isPrinting
}
