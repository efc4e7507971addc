/** Parses the Prometheus text format 0.0.4 strictly, so that every scraper can read a text that this parser accepts. */

export interface Sample {
  readonly name: string
  readonly labels: ReadonlyMap<string, string>
  readonly value: number
}

export interface Family {
  readonly name: string
  readonly type: string
  readonly samples: Array<Sample>
}

export interface Scrape {
  readonly families: ReadonlyMap<string, Family>
  /** Series by name and labels. The labels are sorted by name. */
  readonly series: ReadonlyMap<string, number>
  /** Returns the value of a series. Null if there is no such series. */
  readonly value: (name: string, labels?: Readonly<Record<string, string>>) => number | null
}

const NAME = "[a-zA-Z_:][a-zA-Z0-9_:]*"
const LABEL = '([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\\\\n]|\\\\["\\\\n])*)"'
const VALUE = "NaN|[+-]Inf|[+-]?\\d+(?:\\.\\d+)?(?:e[+-]?\\d+)?"

const helpPattern = new RegExp(`^# HELP (${NAME}) (.+)$`, "u")
const typePattern = new RegExp(`^# TYPE (${NAME}) (counter|gauge|histogram)$`, "u")
const samplePattern = new RegExp(`^(${NAME})(?:\\{((?:${LABEL})(?:,${LABEL})*)\\})? (${VALUE})$`, "u")

const numberOf = (text: string): number => {
  if (text === "NaN") return Number.NaN
  return text.endsWith("Inf") ? Number(`${text}inity`) : Number(text)
}

const parseLabels = (text: string | undefined, line: string): ReadonlyMap<string, string> => {
  const labels = new Map<string, string>()
  for (const [, name, value] of (text ?? "").matchAll(new RegExp(LABEL, "gu"))) {
    if (labels.has(name!)) throw new Error(`a label twice: ${line}`)
    labels.set(name!, value!)
  }
  return labels
}

const seriesKeyOf = (name: string, labels: Iterable<readonly [string, string]>): string =>
  `${name}{${[...labels]
    .map(([label, value]) => `${label}="${value}"`)
    .toSorted()
    .join(",")}}`

const belongsTo = (name: string, family: Family): boolean =>
  family.type === "histogram"
    ? ["_bucket", "_sum", "_count"].some((suffix) => name === family.name + suffix)
    : name === family.name

const labelsWithoutBound = ({ labels }: Sample) => [...labels].filter(([label]) => label !== "le")

const checkHistogram = ({ name, samples }: Family, series: ReadonlyMap<string, number>): void => {
  const lastBuckets = new Map<string, { readonly bound: number; readonly count: number }>()
  for (const bucketSample of samples.filter((each) => each.name === `${name}_bucket`)) {
    const key = seriesKeyOf(name, labelsWithoutBound(bucketSample))
    const bound = numberOf(bucketSample.labels.get("le") ?? "NaN")
    const previousBucket = lastBuckets.get(key) ?? { bound: Number.NEGATIVE_INFINITY, count: 0 }
    if (!(bound > previousBucket.bound) || bucketSample.value < previousBucket.count)
      throw new Error(`buckets out of order: ${key}`)
    lastBuckets.set(key, { bound, count: bucketSample.value })
    const total = series.get(seriesKeyOf(`${name}_count`, labelsWithoutBound(bucketSample)))
    if (bound === Number.POSITIVE_INFINITY && total !== bucketSample.value)
      throw new Error(`+Inf is not the count: ${key}`)
    if (!series.has(seriesKeyOf(`${name}_sum`, labelsWithoutBound(bucketSample)))) throw new Error(`no sum: ${key}`)
  }
  for (const [key, { bound }] of lastBuckets) {
    if (bound !== Number.POSITIVE_INFINITY) throw new Error(`no bucket +Inf: ${key}`)
  }
}

/** Parses a scrape. Throws at the first violation of the format or of the naming rules for metrics. */
export const parsePrometheusText = (text: string): Scrape => {
  if (!text.endsWith("\n")) throw new Error("the last line has no end")
  const families = new Map<string, Family>()
  const series = new Map<string, number>()
  let describedName: string | null = null
  let currentFamily: Family | null = null
  for (const line of text.slice(0, -1).split("\n")) {
    const helpMatch = helpPattern.exec(line)
    const typeMatch = typePattern.exec(line)
    const sampleMatch = samplePattern.exec(line)
    if (helpMatch !== null) {
      if (families.has(helpMatch[1]!) || describedName !== null) throw new Error(`HELP in the wrong place: ${line}`)
      describedName = helpMatch[1]!
    } else if (typeMatch !== null) {
      const [, name, kind] = typeMatch
      if (describedName !== name) throw new Error(`TYPE without its HELP before it: ${line}`)
      if ((kind === "counter") !== name!.endsWith("_total")) throw new Error(`a name that is none of its type: ${line}`)
      describedName = null
      currentFamily = { name: name!, type: kind!, samples: [] }
      families.set(currentFamily.name, currentFamily)
    } else if (sampleMatch !== null) {
      const name = sampleMatch[1]!
      if (currentFamily === null || describedName !== null || !belongsTo(name, currentFamily))
        throw new Error(`out of place: ${line}`)
      const labels = parseLabels(sampleMatch[2], line)
      const value = numberOf(sampleMatch.at(-1)!)
      if (currentFamily.type !== "gauge" && !(value >= 0)) throw new Error(`a count below nothing: ${line}`)
      const key = seriesKeyOf(name, labels)
      if (series.has(key)) throw new Error(`a series twice: ${line}`)
      series.set(key, value)
      currentFamily.samples.push({ name, labels, value })
    } else {
      throw new Error(`not in the format: ${line}`)
    }
  }
  for (const family of families.values()) {
    if (family.samples.length === 0) throw new Error(`no sample of ${family.name}`)
    if (family.type === "histogram") checkHistogram(family, series)
  }
  return {
    families,
    series,
    value: (name, labels = {}) => series.get(seriesKeyOf(name, Object.entries(labels))) ?? null
  }
}
