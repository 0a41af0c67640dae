// Renders the chart as PNG; drawn separately, as the SVG depends on the page's CSS.
import type { SeriesPeriod, Series } from './chart-series.ts'

export interface ChartTexts {
  readonly title: string
  readonly lastYear: string
  readonly nameOf: (departmentId: string) => string
  readonly amount: (amount: number) => string
  readonly tick: (start: string) => string
}

/** PNG at twice the pixel density. Throws when there is no canvas. */
export async function renderChart(series: Series, texts: ChartTexts): Promise<Blob> {
  const canvas = document.createElement('canvas')
  canvas.width = width * pixelRatio
  canvas.height = height * pixelRatio
  const context = canvas.getContext('2d')
  if (context === null) throw new Error('the browser has no 2D canvas')
  context.scale(pixelRatio, pixelRatio)
  const colour = createColourResolver()
  context.fillStyle = colour('--surface')
  context.fillRect(0, 0, width, height)
  context.fillStyle = colour('--text-strong')
  context.font = `600 20px ${font}`
  context.fillText(texts.title, plot.left, 34)
  const scale = computeScale(series.periods)
  drawGrid(context, scale, texts, colour)
  drawBars(context, series, scale, colour)
  drawLastYear(context, series, scale, colour)
  drawTicks(context, series, texts, colour)
  drawLegend(context, series, texts, colour)
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) =>
      blob === null ? reject(new Error('the canvas could not be encoded as PNG')) : resolve(blob),
    ),
  )
}

const width = 1200
const height = 640
const pixelRatio = 2
const plot = { left: 110, right: 1170, top: 60, bottom: 520 } as const
const font = 'system-ui, sans-serif'

type CanvasContext = CanvasRenderingContext2D
type ColourResolver = (name: string) => string

/** Colours of the current theme, computed by the browser. */
function createColourResolver(): ColourResolver {
  const known = new Map<string, string>()
  return (name) => {
    const found = known.get(name) ?? resolveColour(name)
    known.set(name, found)
    return found
  }
}

function resolveColour(name: string): string {
  const probe = document.createElement('span')
  probe.style.color = `var(${name})`
  document.body.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

function getBarColour({ colours }: Series, id: string): string {
  return colours.get(id) ?? '--chart-1'
}

interface Scale {
  readonly low: number
  readonly high: number
  readonly step: number
  readonly y: (amount: number) => number
}

/** Round steps that cover all bars, negative parts, and last year. */
function computeScale(periods: readonly SeriesPeriod[]): Scale {
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

function drawGrid(
  context: CanvasContext,
  { low, high, step, y }: Scale,
  texts: ChartTexts,
  colour: ColourResolver,
) {
  context.font = `13px ${font}`
  context.textAlign = 'right'
  context.lineWidth = 1
  for (let amount = low; amount <= high; amount += step) {
    context.strokeStyle = colour(amount === 0 ? '--muted' : '--line')
    context.beginPath()
    context.moveTo(plot.left, y(amount))
    context.lineTo(plot.right, y(amount))
    context.stroke()
    context.fillStyle = colour('--muted')
    context.fillText(texts.amount(amount), plot.left - 10, y(amount) + 4)
  }
}

function getSlotWidth({ periods }: Series) {
  return (plot.right - plot.left) / Math.max(1, periods.length)
}

function drawBars(context: CanvasContext, series: Series, { y }: Scale, colour: ColourResolver) {
  const slot = getSlotWidth(series)
  const bar = Math.min(48, slot * 0.8)
  series.periods.forEach(({ amounts }, position) => {
    const left = plot.left + slot * position + (slot - bar) / 2
    let above = 0
    let below = 0
    series.departments.forEach((id) => {
      const amount = amounts.get(id) ?? 0
      const from = amount < 0 ? below : above
      if (amount < 0) below += amount
      else above += amount
      context.fillStyle = colour(getBarColour(series, id))
      context.fillRect(
        left,
        Math.min(y(from), y(from + amount)),
        bar,
        Math.abs(y(from) - y(from + amount)),
      )
    })
  })
}

function drawLastYear(
  context: CanvasContext,
  series: Series,
  { y }: Scale,
  colour: ColourResolver,
) {
  const slot = getSlotWidth(series)
  context.strokeStyle = colour('--text-strong')
  context.lineWidth = 1.5
  context.setLineDash([5, 4])
  context.beginPath()
  let isDrawing = false
  series.periods.forEach(({ before }, index) => {
    const x = plot.left + slot * (index + 0.5)
    if (before !== null) {
      if (isDrawing) context.lineTo(x, y(before))
      else context.moveTo(x, y(before))
    }
    isDrawing = before !== null
  })
  context.stroke()
  context.setLineDash([])
}

function drawTicks(
  context: CanvasContext,
  series: Series,
  texts: ChartTexts,
  colour: ColourResolver,
) {
  const slot = getSlotWidth(series)
  const every = Math.max(1, Math.ceil(80 / slot))
  context.font = `13px ${font}`
  context.textAlign = 'center'
  context.fillStyle = colour('--muted')
  series.periods.forEach(({ start }, index) => {
    if (index % every === 0)
      context.fillText(texts.tick(start), plot.left + slot * (index + 0.5), plot.bottom + 22)
  })
}

function drawLegend(
  context: CanvasContext,
  series: Series,
  texts: ChartTexts,
  colour: ColourResolver,
) {
  context.textAlign = 'left'
  let x: number = plot.left
  let y = plot.bottom + 58
  const entries = [
    ...series.departments.map(
      (id) => [texts.nameOf(id), colour(getBarColour(series, id))] as const,
    ),
    [texts.lastYear, colour('--text-strong')] as const,
  ]
  for (const [name, filled] of entries) {
    const wide = context.measureText(name).width + 38
    if (x + wide > plot.right) {
      x = plot.left
      y += 24
    }
    context.fillStyle = filled
    context.fillRect(x, y - 10, 12, 12)
    context.fillStyle = colour('--text-strong')
    context.fillText(name, x + 18, y)
    x += wide
  }
}
