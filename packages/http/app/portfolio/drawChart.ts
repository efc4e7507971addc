import UPlot from "uplot"
import "uplot/dist/uPlot.min.css"
import type { PortfolioChart } from "../../src/client/index.ts"

const HEIGHT = 200

const short = new Intl.NumberFormat("en", { style: "currency", currency: "USD", notation: "compact" })
const exact = new Intl.NumberFormat("en", { style: "currency", currency: "USD" })

/** The colors come from the style sheet, which supports dark mode. */
const options = (place: HTMLElement): UPlot.Options => {
  const colour = (name: string) => getComputedStyle(place).getPropertyValue(name)
  const axis = {
    stroke: () => colour("--muted"),
    grid: { stroke: () => colour("--line"), width: 1 },
    ticks: { show: false }
  }
  return {
    width: place.clientWidth,
    height: HEIGHT,
    cursor: { y: false },
    legend: { live: true },
    axes: [axis, { ...axis, size: 64, values: (_, values) => values.map((value) => short.format(value)) }],
    series: [
      { label: "Time" },
      {
        label: "Worth",
        width: 2,
        points: { show: false },
        stroke: () => colour("--accent"),
        fill: () => colour("--accent-faint"),
        value: (_, value) => (value === null ? "–" : exact.format(value))
      }
    ]
  }
}

/** Draws the value of a wallet as wide as its container. Returns a function that removes the chart. */
export const drawChart = (place: HTMLElement, points: PortfolioChart["points"]): (() => void) => {
  const times = points.map(({ at }) => Date.parse(at) / 1_000)
  // A float is precise enough for pixels.
  const values = points.map(({ valueUsd }) => (valueUsd === null ? null : Number(valueUsd)))
  const chart = new UPlot(options(place), [times, values], place)
  const watcher = new ResizeObserver(() => chart.setSize({ width: place.clientWidth, height: HEIGHT }))
  watcher.observe(place)
  const dark = matchMedia("(prefers-color-scheme: dark)")
  const redraw = () => chart.redraw()
  dark.addEventListener("change", redraw)
  return () => {
    dark.removeEventListener("change", redraw)
    watcher.disconnect()
    chart.destroy()
  }
}
