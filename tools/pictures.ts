// npm run pictures: a screenshot of every screen in each theme, from a sandbox of its own, into .pictures/.
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { startSandbox } from '../tests/support/sandbox.ts'
import {
  administrator,
  appearances,
  openBrowser,
  openContext,
  signIn,
} from '../tests/web/browser.ts'
import { administratorScreens, screens } from '../tests/web/screens.ts'

const folder = join(import.meta.dirname, '../.pictures')
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder)

const asked = process.argv.slice(2)
function isAsked(name: string) {
  return asked.length === 0 || asked.some((one) => name.includes(one))
}

const sandbox = await startSandbox()
const browser = await openBrowser()
try {
  for (const look of appearances) {
    const context = await openContext(browser, sandbox.address, look)
    const page = await context.newPage()
    await page.goto('/app/i-dag')
    await page.waitForSelector('form')
    const nameOf = (screen: string) => `${screen}-${look.theme}-${look.language}-${look.width}`
    if (isAsked(nameOf('sign-in')))
      await page.screenshot({ path: join(folder, `${nameOf('sign-in')}.png`) })
    await signIn(page)
    for (const { name, path, press, focus = 'h1', ready } of screens.filter((one) =>
      isAsked(nameOf(one.name)),
    )) {
      await page.goto(path)
      if (press !== undefined) {
        await page.waitForSelector(focus)
        if (focus !== 'h1') await page.focus(focus)
        await page.keyboard.press(press)
      }
      await page.waitForSelector(ready)
      await page.waitForTimeout(400)
      await page.screenshot({ path: join(folder, `${nameOf(name)}.png`) })
    }
    await context.clearCookies()
    await signIn(page, '/app/i-dag', administrator)
    for (const { name, path, ready } of administratorScreens.filter((one) =>
      isAsked(nameOf(one.name)),
    )) {
      await page.goto(path)
      await page.waitForSelector(ready)
      await page.waitForTimeout(400)
      await page.screenshot({ path: join(folder, `${nameOf(name)}.png`) })
    }
    await context.close()
  }
} finally {
  await browser.close()
  await sandbox.stop()
}
