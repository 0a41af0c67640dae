// npm run pictures: screenshots of every screen, of a sandbox, into .pictures/, of those that a test compares, and of
// those that README shows.
import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { startSandbox } from '../tests/support/sandbox.ts'
import { administrator, appearances, openBrowser, openContext, signIn } from '../tests/web/browser.ts'
import { openPictured, pictures } from '../tests/web/pictures.ts'
import { administratorScreens, openScreen, screens } from '../tests/web/screens.ts'

const folder = join(import.meta.dirname, '../.pictures')
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder)

/** Parts of names; none for all. */
const named = process.argv.slice(2)
function isNamed(path: string) {
  return named.length === 0 || named.some((one) => path.includes(one))
}

const sandbox = await startSandbox()
const browser = await openBrowser()
try {
  for (const picture of pictures.filter(({ path }) => isNamed(path))) {
    const page = await openPictured(browser, sandbox.address, picture)
    await page.waitForTimeout(400)
    await page.screenshot({ path: picture.path })
    await page.context().close()
  }
  for (const look of appearances) {
    const pathOf = (name: string) => join(folder, `${name}-${look.theme}-${look.language}-${look.width}.png`)
    const context = await openContext(browser, sandbox.address, look)
    const page = await context.newPage()
    await page.goto('/app/i-dag')
    await page.waitForSelector('form')
    if (isNamed(pathOf('sign-in'))) await page.screenshot({ path: pathOf('sign-in') })
    for (const screen of [...screens, ...administratorScreens].filter(({ name }) => isNamed(pathOf(name)))) {
      await context.clearCookies()
      await (administratorScreens.includes(screen)
        ? signIn(page, '/app/hjelp', administrator)
        : signIn(page, '/app/hjelp'))
      await openScreen(page, screen)
      await page.waitForTimeout(400)
      await page.screenshot({ path: pathOf(screen.name) })
    }
    await context.close()
  }
  for (const name of ['today', 'approvals', 'revenue']) {
    const file = `${name}-light-en-1280.png`
    if (existsSync(join(folder, file)))
      copyFileSync(join(folder, file), join(import.meta.dirname, '../docs/pictures', file))
  }
} finally {
  await browser.close()
  await sandbox.stop()
}
