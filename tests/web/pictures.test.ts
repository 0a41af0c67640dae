// Twelve screens look as in their pictures; after an intended change `npm run pictures` renews them.
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { isAvailable } from '../support/requirements.ts'
import { useBrowser } from './browser-fixture.ts'
import { pictures, signInForPictures } from './pictures.ts'

/** Share of pixels that may differ: times of day, and letters as another Chromium draws them. */
const tolerance = 0.02

describe.runIf(isAvailable('chromium'))('pictures', () => {
  const browserFixture = useBrowser()
  let open: Awaited<ReturnType<typeof signInForPictures>>
  beforeAll(async () => {
    open = await signInForPictures(browserFixture.browser, browserFixture.address)
  })

  test.each(pictures)('$screen.name in $theme, $language, $width wide looks as in its picture', async (picture) => {
    const page = await open(picture)
    const kept = readFileSync(picture.path).toString('base64')
    const difference = async () => {
      const taken = (await page.screenshot()).toString('base64')
      return page.evaluate(getDifference, [kept, taken] as const)
    }
    await expect.poll(difference).toBeLessThan(tolerance)
  })
})

/** Share of the pixels of two PNGs that differ visibly; 1 for different sizes. Runs in the page. */
async function getDifference(images: readonly [string, string]): Promise<number> {
  const visibleStep = 32
  const pixelsOf = async (base64: string) => {
    const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
    const bitmap = await createImageBitmap(new Blob([bytes]))
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
    canvas.getContext('2d')?.drawImage(bitmap, 0, 0)
    return canvas.getContext('2d')?.getImageData(0, 0, bitmap.width, bitmap.height).data ?? []
  }
  const [one, other] = [await pixelsOf(images[0]), await pixelsOf(images[1])]
  if (one.length !== other.length) return 1
  const changed = new Set<number>()
  for (let at = 0; at < one.length; at++)
    if (Math.abs((one[at] ?? 0) - (other[at] ?? 0)) > visibleStep) changed.add(at >> 2)
  return changed.size / (one.length / 4)
}
