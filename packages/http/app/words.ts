/** Amounts remain strings, which the formatter accepts without losing digits. */
type Decimal = Intl.StringNumericLiteral

const usdFormat = new Intl.NumberFormat("en", { style: "currency", currency: "USD" })
const amountFormat = new Intl.NumberFormat("en", { maximumFractionDigits: 6 })
const smallAmountFormat = new Intl.NumberFormat("en", { maximumSignificantDigits: 4 })
const dateTimeFormat = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" })
const preciseDateTimeFormat = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" })

export const formatUsd = (amount: string | null): string =>
  amount === null ? "–" : usdFormat.format(amount as Decimal)

const isSmall = (amount: string): boolean => /^-?0?\.000/u.test(amount)

/** Formats an amount with few digits. Display the full amount near it. */
export const shortAmount = (amount: string): string =>
  (isSmall(amount) ? smallAmountFormat : amountFormat).format(amount as Decimal)

/** Converts base units to a decimal amount. */
export const unitsText = (units: string, decimals: number): string => {
  const digits = units.replace("-", "").padStart(decimals + 1, "0")
  const sign = units.startsWith("-") ? "-" : ""
  const point = digits.length - decimals
  return decimals === 0 ? sign + digits : `${sign}${digits.slice(0, point)}.${digits.slice(point)}`
}

/** Formats a ratio as a signed percentage, such as 0.125 as "+12.5 %". */
export const percentOf = (ratio: number): string => `${ratio >= 0 ? "+" : "−"}${Math.abs(ratio * 100).toFixed(2)} %`

export const formatDateTime = (at: string | null): string => (at === null ? "–" : dateTimeFormat.format(new Date(at)))

/** Formats a date-time with seconds. */
export const formatPreciseDateTime = (at: string): string => preciseDateTimeFormat.format(new Date(at))

/** Formats a gain or loss with its sign. */
export const signedAmount = (amount: string): string => {
  const isLoss = amount.startsWith("-")
  return `${isLoss ? "−" : "+"}${shortAmount(isLoss ? amount.slice(1) : amount)}`
}

/** Converts an id to a title, such as LIQUIDITY_CREATE to "Liquidity create". */
export const title = (id: string): string => {
  const words = id.toLowerCase().replaceAll("_", " ")
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export const shortAddress = (address: string): string =>
  address.length <= 14 ? address : `${address.slice(0, 8)}…${address.slice(-4)}`

export const isSameAddress = (one: string | null, other: string | null): boolean =>
  one !== null && one.toLowerCase() === other?.toLowerCase()
