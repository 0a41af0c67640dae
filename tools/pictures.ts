// npm run pictures: screenshots of every screen in every theme, language and width, of a sandbox, into .pictures/, with
// contact sheets of them; of those that a test compares, and of those that README shows.
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { startSandbox } from '../tests/support/sandbox.ts'
import { administrator, openBrowser, openContext, signIn } from '../tests/web/browser.ts'
import { pictures, signInForPictures } from '../tests/web/pictures.ts'
import { administratorScreens, openScreen, screens } from '../tests/web/screens.ts'

const folder = join(import.meta.dirname, '../.pictures')
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder)

/** The pictures of README. */
const documented = join(import.meta.dirname, '../docs/pictures')

const widths = [375, 820, 1024, 1280, 1920]

/** Parts of names; none for all. */
const named = process.argv.slice(2)
function isNamed(path: string) {
  return named.length === 0 || named.some((one) => path.includes(one))
}

/** Contact sheets of the pictures of a width, in their order by theme and language: 12, 9 or 6 to a sheet. */
async function writeSheets(width: number): Promise<void> {
  const perRow = width > 1280 ? 2 : width > 820 ? 3 : 6
  const perSheet = perRow * (width === 375 ? 2 : 3)
  const page = await browser.newPage({ viewport: { width: 1600, height: 400 } })
  const looks = ['light-nb', 'light-en', 'dark-nb', 'dark-en']
  for (const look of looks) {
    const files = readdirSync(folder).filter((file) => file.endsWith(`-${look}-${width}.png`))
    for (let first = 0; first < files.length; first += perSheet) {
      const images = files.slice(first, first + perSheet).map((file) => {
        const data = readFileSync(join(folder, file)).toString('base64')
        return `<figure>${file}<img src="data:image/png;base64,${data}"></figure>`
      })
      const style = `body{margin:0;display:grid;gap:8px;grid-template-columns:repeat(${perRow},1fr);font:12px sans-serif}figure{margin:0}img{width:100%}`
      await page.setContent(`<style>${style}</style>${images.join('')}`)
      const name = `sheet-${look}-${width}-${first / perSheet + 1}.png`
      await page.screenshot({ path: join(folder, name), fullPage: true })
    }
  }
  await page.close()
}

const sandbox = await startSandbox()
const browser = await openBrowser()
try {
  const openPicture = await signInForPictures(browser, sandbox.address)
  for (const picture of pictures.filter(({ path }) => isNamed(path))) {
    const page = await openPicture(picture)
    await page.waitForTimeout(400)
    await page.screenshot({ path: picture.path })
    await page.close()
  }
  for (const theme of ['light', 'dark'] as const)
    for (const language of ['nb', 'en'] as const) {
      const context = await openContext(browser, sandbox.address, { theme, language, width: 1280 })
      const page = await context.newPage()
      const pathOf = (name: string, width: number) => join(folder, `${name}-${theme}-${language}-${width}.png`)
      const takePictures = async (name: string, open: () => Promise<unknown>) => {
        const wanted = widths.filter((width) => isNamed(pathOf(name, width)))
        if (wanted.length === 0) return
        await open()
        for (const width of wanted) {
          await page.setViewportSize({ width, height: 860 })
          // Charts are redrawn after a resize.
          await page.waitForTimeout(400)
          await page.screenshot({ path: pathOf(name, width) })
        }
        await page.setViewportSize({ width: 1280, height: 860 })
      }
      await takePictures('sign-in', async () => {
        await page.goto('/app/i-dag')
        await page.waitForSelector('form')
      })
      for (const [shown, person] of [[screens, undefined] as const, [administratorScreens, administrator] as const]) {
        await context.clearCookies()
        await signIn(page, '/app/hjelp', person)
        for (const screen of shown) await takePictures(screen.name, () => openScreen(page, screen))
      }
      await context.close()
    }
  for (const width of widths) await writeSheets(width)
  for (const file of readdirSync(documented).filter((one) => existsSync(join(folder, one))))
    copyFileSync(join(folder, file), join(documented, file))
} finally {
  await browser.close()
  await sandbox.stop()
}
