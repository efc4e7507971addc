import { useEffect, useRef } from "preact/hooks"
import type { Client, PortfolioChart } from "../../src/client/index.ts"
import { Failure } from "../Failure.tsx"
import { useLoad } from "../useLoad.ts"
import { formatDateTime, formatUsd, percentOf } from "../words.ts"
import { drawChart } from "./drawChart.ts"
import type { Range } from "./RangeChoice.tsx"

type Point = PortfolioChart["points"][number]

/** Describes the change as text, also for screen readers. */
const changeText = (first: Point | undefined, last: Point | undefined): string => {
  const [firstUsd, lastUsd] = [Number(first?.valueUsd ?? 0), Number(last?.valueUsd ?? 0)]
  return firstUsd > 0
    ? `${percentOf(lastUsd / firstUsd - 1)} since ${formatDateTime(first!.at)}, including deposits and withdrawals`
    : ""
}

const Line = ({ points }: Pick<PortfolioChart, "points">) => {
  const container = useRef<HTMLDivElement>(null)
  useEffect(() => drawChart(container.current!, points), [points])
  return <div class="chart" ref={container} aria-hidden="true" />
}

interface WorthOverTimeProps {
  readonly client: Client
  readonly wallet: string
  readonly range: Range
}

export const WorthOverTime = ({ client, range, wallet }: WorthOverTimeProps) => {
  const { failure, isLoading, value } = useLoad(`${wallet} ${range}`, (signal) =>
    client.portfolio.chart(wallet, { timerange: range }, { signal })
  )
  const knownPoints = value?.points.filter(({ valueUsd }) => valueUsd !== null) ?? []
  return (
    <figure aria-busy={isLoading}>
      <figcaption aria-live="polite">
        <strong class="worth">{formatUsd(knownPoints.at(-1)?.valueUsd ?? null)}</strong>{" "}
        <span class="muted">{changeText(knownPoints[0], knownPoints.at(-1))}</span>
      </figcaption>
      <Failure of={failure} />
      <Line points={value?.points ?? []} />
      {value !== undefined && value.leftOut.length > 0 && (
        <p class="muted">Without {value.leftOut.map(({ symbol }) => symbol).join(", ")}, whose prices are not known.</p>
      )}
    </figure>
  )
}
