// Renders the chart as PNG; drawn separately, as the SVG depends on the page's CSS.
import type { Period, Series } from './chart-series.ts'

export interface PictureTexts {
  readonly title: string
  readonly lastYear: string
  readonly nameOf: (departmentId: string) => string
  readonly amount: (amount: number) => string
  readonly tick: (start: string) => string
}

/** PNG at twice the pixel density. Throws when there is no canvas. */
export async function pictureOf(series: Series, texts: PictureTexts): Promise<Blob> {
  const canvas = document.createElement('canvas')
  canvas.width = width * sharpness
  canvas.height = height * sharpness
  const pen = canvas.getContext('2d')
  if (pen === null) throw new Error('the browser has no 2D canvas')
  pen.scale(sharpness, sharpness)
  const colour = coloursOfPage()
  pen.fillStyle = colour('--surface')
  pen.fillRect(0, 0, width, height)
  pen.fillStyle = colour('--text-strong')
  pen.font = `600 20px ${font}`
  pen.fillText(texts.title, plot.left, 34)
  const scale = scaleOf(series.periods)
  drawGrid(pen, scale, texts, colour)
  drawBars(pen, series, scale, colour)
  drawLastYear(pen, series, scale, colour)
  drawTicks(pen, series, texts, colour)
  drawLegend(pen, series, texts, colour)
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) =>
      blob === null ? reject(new Error('the canvas could not be encoded as PNG')) : resolve(blob),
    ),
  )
}

const width = 1200
const height = 640
const sharpness = 2
const plot = { left: 110, right: 1170, top: 60, bottom: 520 } as const
const font = 'system-ui, sans-serif'
const coloursMax = 8

type Pen = CanvasRenderingContext2D
type Colour = (name: string) => string

/** Colours of the current theme, computed by the browser. */
function coloursOfPage(): Colour {
  const known = new Map<string, string>()
  return (name) => {
    const found = known.get(name) ?? colourOf(name)
    known.set(name, found)
    return found
  }
}

function colourOf(name: string): string {
  const probe = document.createElement('span')
  probe.style.color = `var(${name})`
  document.body.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

function barColour(index: number) {
  return `--chart-${Math.min(index, coloursMax - 1) + 1}`
}

interface Scale {
  readonly low: number
  readonly high: number
  readonly step: number
  readonly y: (amount: number) => number
}

/** Round steps that cover all bars, negative parts, and last year. */
function scaleOf(periods: readonly Period[]): Scale {
  const parts = periods.map(({ amounts }) => [...amounts.values()])
  const added = (list: number[]) => list.reduce((sum, one) => sum + one, 0)
  const tops = parts.map((list) => added(list.filter((one) => one > 0)))
  const bottoms = parts.map((list) => added(list.filter((one) => one < 0)))
  const before = periods.map((one) => one.before ?? 0)
  const most = Math.max(1, ...tops, ...before)
  const least = Math.min(0, ...bottoms, ...before)
  const rough = (most - least) / 5
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = power * (rough / power > 5 ? 10 : rough / power > 2 ? 5 : rough / power > 1 ? 2 : 1)
  const high = Math.ceil(most / step) * step
  const low = Math.floor(least / step) * step
  const y = (amount: number) =>
    plot.bottom - ((amount - low) / (high - low)) * (plot.bottom - plot.top)
  return { low, high, step, y }
}

function drawGrid(pen: Pen, { low, high, step, y }: Scale, texts: PictureTexts, colour: Colour) {
  pen.font = `13px ${font}`
  pen.textAlign = 'right'
  pen.lineWidth = 1
  for (let amount = low; amount <= high; amount += step) {
    pen.strokeStyle = colour(amount === 0 ? '--muted' : '--line')
    pen.beginPath()
    pen.moveTo(plot.left, y(amount))
    pen.lineTo(plot.right, y(amount))
    pen.stroke()
    pen.fillStyle = colour('--muted')
    pen.fillText(texts.amount(amount), plot.left - 10, y(amount) + 4)
  }
}

function slotOf({ periods }: Series) {
  return (plot.right - plot.left) / Math.max(1, periods.length)
}

function drawBars(pen: Pen, series: Series, { y }: Scale, colour: Colour) {
  const slot = slotOf(series)
  const bar = Math.min(48, slot * 0.8)
  series.periods.forEach(({ amounts }, position) => {
    const left = plot.left + slot * position + (slot - bar) / 2
    let above = 0
    let below = 0
    series.departments.forEach((id, index) => {
      const amount = amounts.get(id) ?? 0
      const from = amount < 0 ? below : above
      if (amount < 0) below += amount
      else above += amount
      pen.fillStyle = colour(barColour(index))
      pen.fillRect(
        left,
        Math.min(y(from), y(from + amount)),
        bar,
        Math.abs(y(from) - y(from + amount)),
      )
    })
  })
}

function drawLastYear(pen: Pen, series: Series, { y }: Scale, colour: Colour) {
  const slot = slotOf(series)
  pen.strokeStyle = colour('--text-strong')
  pen.lineWidth = 1.5
  pen.setLineDash([5, 4])
  pen.beginPath()
  let isDrawing = false
  series.periods.forEach(({ before }, index) => {
    const x = plot.left + slot * (index + 0.5)
    if (before !== null) {
      if (isDrawing) pen.lineTo(x, y(before))
      else pen.moveTo(x, y(before))
    }
    isDrawing = before !== null
  })
  pen.stroke()
  pen.setLineDash([])
}

function drawTicks(pen: Pen, series: Series, texts: PictureTexts, colour: Colour) {
  const slot = slotOf(series)
  const every = Math.max(1, Math.ceil(80 / slot))
  pen.font = `13px ${font}`
  pen.textAlign = 'center'
  pen.fillStyle = colour('--muted')
  series.periods.forEach(({ start }, index) => {
    if (index % every === 0)
      pen.fillText(texts.tick(start), plot.left + slot * (index + 0.5), plot.bottom + 22)
  })
}

function drawLegend(pen: Pen, { departments }: Series, texts: PictureTexts, colour: Colour) {
  pen.textAlign = 'left'
  let x: number = plot.left
  let y = plot.bottom + 58
  const entries = [
    ...departments.map((id, index) => [texts.nameOf(id), colour(barColour(index))] as const),
    [texts.lastYear, colour('--text-strong')] as const,
  ]
  for (const [name, filled] of entries) {
    const wide = pen.measureText(name).width + 38
    if (x + wide > plot.right) {
      x = plot.left
      y += 24
    }
    pen.fillStyle = filled
    pen.fillRect(x, y - 10, 12, 12)
    pen.fillStyle = colour('--text-strong')
    pen.fillText(name, x + 18, y)
    x += wide
  }
}
