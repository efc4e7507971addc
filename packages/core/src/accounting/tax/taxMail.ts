import type { DateTime, Redacted } from "effect"
import type { Mail } from "../../tenancy/mail/index.ts"
import { sumOrNull } from "../portfolio/index.ts"
import { moneyText } from "./layouts/figures.ts"
import { layoutsOf, type TaxFile, taxFiles } from "./layouts/taxFiles.ts"
import { mailTexts, type Summary } from "./mailTexts.ts"
import { type TaxDataSet, unvaluedRows } from "./TaxDataSet.ts"
import type { EmailCustomization } from "./TaxRequests.ts"

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}
const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/gu, (character) => escapes[character]!)

const paragraph = (text: string): string => `<p>${escapeHtml(text).replaceAll(/\r\n|\r|\n/gu, "<br>")}</p>`

const gainE6 = ({ balances }: TaxDataSet, currency: "usd" | "brl") =>
  sumOrNull(balances.map(({ gainsE6 }) => gainsE6[currency]))

const summaryOf = (dataSet: TaxDataSet): Summary => ({
  wallet: dataSet.walletAddress,
  month: dataSet.period.month,
  timezone: dataSet.period.timezone,
  movements: dataSet.rows.length,
  unvalued: unvaluedRows(dataSet).length,
  gainUsd: moneyText(gainE6(dataSet, "usd")),
  gainBrl: moneyText(gainE6(dataSet, "brl"))
})

const htmlOf = (paragraphs: ReadonlyArray<string>, files: string, names: ReadonlyArray<string>, logoUrl?: string) => {
  const logo = logoUrl === undefined ? "" : `<p><img src="${escapeHtml(logoUrl)}" alt="" height="48"></p>`
  const list = names.map((name) => `<li>${escapeHtml(name)}</li>`).join("")
  return `<!doctype html><html><body>${logo}${paragraphs.map(paragraph).join("")}<p>${escapeHtml(files)}</p><ul>${list}</ul></body></html>`
}

export interface TaxMailRequest {
  readonly key: string
  readonly at: DateTime.Utc
  readonly to: Redacted.Redacted<string>
  readonly customization: EmailCustomization
}

/** Creates the email with the files of a data set, in the language of the customization. The default is English. */
export const taxMail = (dataSet: TaxDataSet, { at, customization, key, to }: TaxMailRequest): Mail => {
  const { introText, locale = "en", logoUrl, replyTo, senderName, subject } = customization
  const texts = mailTexts[locale]
  const summary = summaryOf(dataSet)
  const files: ReadonlyArray<TaxFile> = taxFiles(dataSet, layoutsOf(dataSet.period.month))
  const names = files.map(({ name }) => name)
  const paragraphs = [
    introText ?? "",
    texts.intro(summary),
    texts.movements(summary),
    texts.gain(summary),
    texts.unvalued(summary)
  ].filter((each) => each !== "")
  return {
    key,
    at,
    to,
    senderName: senderName ?? null,
    replyTo: replyTo ?? null,
    subject: subject ?? texts.subject(summary),
    text: [...paragraphs, [texts.files, ...names.map((name) => `- ${name}`)].join("\n"), ""].join("\n\n"),
    html: htmlOf(paragraphs, texts.files, names, logoUrl),
    attachments: files
  }
}
