import UPlot from "uplot"
import "uplot/dist/uPlot.min.css"
import type { PortfolioChart } from "../../src/client/index.ts"

const HEIGHT = 200

const compactFormat = new Intl.NumberFormat("en", { style: "currency", currency: "USD", notation: "compact" })
const exactFormat = new Intl.NumberFormat("en", { style: "currency", currency: "USD" })

/** Builds the chart options. The colors come from the style sheet, which supports dark mode. */
const chartOptions = (container: HTMLElement): UPlot.Options => {
  const colour = (name: string) => getComputedStyle(container).getPropertyValue(name)
  const axis = {
    stroke: () => colour("--muted"),
    grid: { stroke: () => colour("--line"), width: 1 },
    ticks: { show: false }
  }
  return {
    width: container.clientWidth,
    height: HEIGHT,
    cursor: { y: false },
    legend: { live: true },
    axes: [axis, { ...axis, size: 64, values: (_, values) => values.map((value) => compactFormat.format(value)) }],
    series: [
      { label: "Time" },
      {
        label: "Worth",
        width: 2,
        points: { show: false },
        stroke: () => colour("--accent"),
        fill: () => colour("--accent-faint"),
        value: (_, value) => (value === null ? "–" : exactFormat.format(value))
      }
    ]
  }
}

/** Draws the value of a wallet as wide as its container. Returns a function that removes the chart. */
export const drawChart = (container: HTMLElement, points: PortfolioChart["points"]): (() => void) => {
  const times = points.map(({ at }) => Date.parse(at) / 1_000)
  // A float is precise enough for pixels.
  const values = points.map(({ valueUsd }) => (valueUsd === null ? null : Number(valueUsd)))
  const chart = new UPlot(chartOptions(container), [times, values], container)
  const resizeObserver = new ResizeObserver(() => chart.setSize({ width: container.clientWidth, height: HEIGHT }))
  resizeObserver.observe(container)
  const darkModeQuery = matchMedia("(prefers-color-scheme: dark)")
  const redraw = () => chart.redraw()
  darkModeQuery.addEventListener("change", redraw)
  return () => {
    darkModeQuery.removeEventListener("change", redraw)
    resizeObserver.disconnect()
    chart.destroy()
  }
}
