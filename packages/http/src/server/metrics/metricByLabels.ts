import { Metric } from "effect"

/**
 * Returns a function from label values to a metric. It reuses one instance per set of values, because creating an
 * instance allocates memory.
 */
export const metricByLabels = <Input, State, const Names extends ReadonlyArray<string>>(
  metric: Metric.Metric<Input, State>,
  ...names: Names
) => {
  const series = new Map<string, Metric.Metric<Input, State>>()
  return (...values: { readonly [Index in keyof Names]: string }): Metric.Metric<Input, State> => {
    const key = values.join("\n")
    const cachedMetric = series.get(key)
    if (cachedMetric !== undefined) return cachedMetric
    const labelledMetric = Metric.withAttributes(metric, Object.fromEntries(names.map((name, i) => [name, values[i]!])))
    series.set(key, labelledMetric)
    return labelledMetric
  }
}
