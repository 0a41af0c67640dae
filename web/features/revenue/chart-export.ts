// Renders the chart of the page as PNG: its shapes and texts, as the page shows them.

/** PNG at twice the pixel density, with the title above. Throws when there is no canvas. */
export async function renderChart(chart: HTMLElement, title: string): Promise<Blob> {
  const { left, top, width, height } = chart.getBoundingClientRect()
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(width * pixelRatio)
  canvas.height = Math.round((height + titleHeight) * pixelRatio)
  const context = canvas.getContext('2d')
  if (context === null) throw new Error('the browser has no 2D canvas')
  const { backgroundColor, color, fontFamily } = getComputedStyle(chart)
  context.fillStyle = backgroundColor
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.scale(pixelRatio, pixelRatio)
  context.fillStyle = color
  context.font = `600 18px ${fontFamily}`
  context.fillText(title, 16, 30)
  context.translate(-left, titleHeight - top)
  for (const shape of chart.querySelectorAll<SVGGraphicsElement>(':is(path, line, rect):not(defs *)'))
    drawShape(context, shape)
  for (const text of chart.querySelectorAll('text, figcaption > *')) drawText(context, text)
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) =>
      blob === null ? reject(new Error('the canvas could not be encoded as PNG')) : resolve(blob),
    ),
  )
}

const pixelRatio = 2
const titleHeight = 44

function drawShape(context: CanvasRenderingContext2D, shape: SVGGraphicsElement): void {
  const { fill, stroke, strokeWidth, strokeDasharray } = getComputedStyle(shape)
  const toPage = shape.getScreenCTM()
  if (toPage === null) return
  const path = new Path2D(toPathText(shape))
  context.save()
  context.transform(toPage.a, toPage.b, toPage.c, toPage.d, toPage.e, toPage.f)
  if (fill !== 'none' && !shape.matches('line')) {
    context.fillStyle = fill
    // oxlint-disable-next-line unicorn/no-array-fill-with-reference-type -- fills a canvas, not an array
    context.fill(path)
  }
  if (stroke !== 'none') {
    context.strokeStyle = stroke
    context.lineWidth = Number.parseFloat(strokeWidth)
    context.setLineDash((strokeDasharray.match(/[\d.]+/g) ?? []).map(Number))
    context.stroke(path)
  }
  context.restore()
}

function toPathText(shape: SVGGraphicsElement): string {
  const number = (name: string) => Number(shape.getAttribute(name) ?? 0)
  if (shape.matches('line')) return `M${number('x1')} ${number('y1')}L${number('x2')} ${number('y2')}`
  if (shape.matches('rect'))
    return `M${number('x')} ${number('y')}h${number('width')}v${number('height')}h${-number('width')}z`
  return shape.getAttribute('d') ?? ''
}

function drawText(context: CanvasRenderingContext2D, element: Element): void {
  const { fill, color, fontWeight, fontSize, fontFamily } = getComputedStyle(element)
  const range = document.createRange()
  range.selectNode(element.lastChild ?? element)
  const { left, top, height } = range.getBoundingClientRect()
  context.fillStyle = element.matches('text') ? fill : color
  context.font = `${fontWeight} ${fontSize} ${fontFamily}`
  context.textBaseline = 'middle'
  context.fillText(element.textContent, left, top + height / 2)
}
