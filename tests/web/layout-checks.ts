// Layout checks: width of the page; inside the page, covered focus, touch target size, clipped numbers.
import type { Page } from 'playwright-core'

/** Pixels by which the page is wider than the window. */
export function getOverflow(page: Page): Promise<number> {
  return page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - window.innerWidth))
}

/** Controls that are entirely covered when they have the focus (WCAG 2.2, 2.4.11). */
export async function findHiddenWhenFocused(): Promise<string[]> {
  const layer = [...document.querySelectorAll('[aria-modal=true]')].at(-1) ?? document.body
  const controls = layer.querySelectorAll<HTMLElement>(
    'a[href], button, input, select, textarea, summary, [tabindex="0"]',
  )
  const isHidden = (one: HTMLElement): boolean => {
    one.focus()
    const { left, top, width, height } = one.getBoundingClientRect()
    // Skips what cannot take the focus, and what is visible to screen readers only.
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
    // What scrolls into view on focus needs a moment.
    for (let tries = 0; tries < 20 && isHidden(one); tries++) await new Promise((done) => setTimeout(done, 50))
    if (isHidden(one)) hidden.push(one.outerHTML.slice(0, 200))
    one.blur()
  }
  return hidden
}

/** Controls lower than 44 or narrower than 24 pixels, except inline links and calendar days (also in the grid). */
export function findSmallTargets(): string[] {
  const layer = [...document.querySelectorAll('[aria-modal=true]')].at(-1) ?? document.body
  const controls = layer.querySelectorAll<HTMLElement>(
    'a[href]:not(.skip, .Calendar-square), button, input, select, textarea, summary',
  )
  const isSmall = (one: HTMLElement): boolean => {
    const { display, opacity } = getComputedStyle(one)
    if (display === 'inline' || opacity === '0' || !one.checkVisibility({ visibilityProperty: true })) return false
    const isTick = one.matches('input[type=checkbox], input[type=radio]')
    const target = isTick ? (one.closest('label, .Queue-tick, td') ?? one) : one
    const { width, height } = target.getBoundingClientRect()
    return width > 1 && (height < 43.5 || width < 24)
  }
  return [...controls].filter(isSmall).map((one) => one.outerHTML.slice(0, 200))
}

/** Numbers that overflow their cell or are clipped by an ancestor; scroll containers do not count. */
export function findCutNumbers(): string[] {
  const numbers = document.querySelectorAll<HTMLElement>(
    '.number, .figure, .figure-note, .Today-note, .GridTable-cell, .GridTable-grid small, .Queue-groupSum, .action-count, .badge, .tab-count, .chart svg text',
  )
  const isCut = (one: HTMLElement): boolean => {
    if (one.matches('.visually-hidden') || !one.checkVisibility()) return false
    if (one.clientWidth > 0 && one.scrollWidth > one.clientWidth) return true
    const text = document.createRange()
    text.selectNodeContents(one)
    const { left, right } = text.getBoundingClientRect()
    for (let around = one.parentElement; around !== null; around = around.parentElement) {
      const { overflowX } = getComputedStyle(around)
      if (overflowX === 'auto' || overflowX === 'scroll') return false
      const box = around.getBoundingClientRect()
      const isOutside = left < box.left - 0.5 || right > box.right + 0.5
      if (overflowX !== 'visible' && isOutside) return true
    }
    return false
  }
  return [...numbers].filter(isCut).map((one) => one.outerHTML.slice(0, 200))
}

/** Badges of the navigation that cover their icon, leave their link, or cut off its label. */
export function findBadgeOverlaps(): string[] {
  return [...document.querySelectorAll<HTMLElement>('.rail-link:has(.badge)')].flatMap((link) => {
    const boxOf = (selector: string) => link.querySelector(selector)?.getBoundingClientRect()
    const [badge, icon] = [boxOf('.badge'), boxOf('svg')]
    const label = link.querySelector<HTMLElement>('.long')
    if (badge === undefined || icon === undefined || label === null) return ['incomplete link']
    return [
      ...(badge.left < icon.right && badge.bottom > icon.top ? ['covers the icon'] : []),
      ...(badge.right > link.getBoundingClientRect().right + 0.5 ? ['leaves the link'] : []),
      ...(label.scrollWidth > label.clientWidth ? ['cuts off the label'] : []),
    ]
  })
}
