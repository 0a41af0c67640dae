// What the keyboard and the thumb can reach; each function is run inside of the page.

/** Controls that are wholly behind something when they have the focus (WCAG 2.2, 2.4.11). */
export const hiddenWhenFocused = async (): Promise<string[]> => {
  const layer = [...document.querySelectorAll('[aria-modal=true]')].at(-1) ?? document.body
  const controls = layer.querySelectorAll<HTMLElement>(
    'a[href], button, input, select, textarea, summary, [tabindex="0"]',
  )
  const isHidden = (one: HTMLElement): boolean => {
    one.focus()
    const { left, top, width, height } = one.getBoundingClientRect()
    // What takes no focus is not asked, and what is for readers of the screen alone hides nothing.
    if (document.activeElement !== one || width <= 1) return false
    const parts = [0.05, 0.5, 0.95]
    return !parts.some((across) =>
      parts.some((down) => {
        const hit = document.elementFromPoint(left + width * across, top + height * down)
        return hit !== null && (one.contains(hit) || hit.contains(one))
      }),
    )
  }
  const hidden: string[] = []
  for (const one of [...controls].filter(isHidden)) {
    one.focus()
    // What moves into view with the focus is there a moment later.
    for (let tries = 0; tries < 20 && isHidden(one); tries++)
      await new Promise((done) => setTimeout(done, 50))
    if (isHidden(one)) hidden.push(one.outerHTML.slice(0, 200))
    one.blur()
  }
  return hidden
}

/** Controls lower than 44 or narrower than 24 pixels, but for links in a sentence and the days of the calendar, which stand in the grid too. */
export const smallTargets = (): string[] => {
  const layer = [...document.querySelectorAll('[aria-modal=true]')].at(-1) ?? document.body
  const controls = layer.querySelectorAll<HTMLElement>(
    'a[href]:not(.skip, .day-square), button, input, select, textarea, summary',
  )
  const isSmall = (one: HTMLElement): boolean => {
    const { display, opacity } = getComputedStyle(one)
    if (
      display === 'inline' ||
      opacity === '0' ||
      !one.checkVisibility({ visibilityProperty: true })
    )
      return false
    const isTick = one.matches('input[type=checkbox], input[type=radio]')
    const target = isTick ? (one.closest('label, .tick, td') ?? one) : one
    const { width, height } = target.getBoundingClientRect()
    return width > 1 && (height < 43.5 || width < 24)
  }
  return [...controls].filter(isSmall).map((one) => one.outerHTML.slice(0, 200))
}
