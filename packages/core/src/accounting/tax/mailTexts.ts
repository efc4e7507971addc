import type { MailLocale } from "./TaxRequests.ts"

/** The values that an email shows about its export. */
export interface Summary {
  readonly wallet: string
  readonly month: string
  readonly timezone: string
  readonly movements: number
  readonly unvalued: number
  /** Null if a required value is missing. */
  readonly gainUsd: string | null
  readonly gainBrl: string | null
}

/** The texts of an email, as plain text. */
interface MailTexts {
  readonly subject: (summary: Summary) => string
  readonly intro: (summary: Summary) => string
  readonly movements: (summary: Summary) => string
  readonly gain: (summary: Summary) => string
  /** Returns an empty text if every value is known. */
  readonly unvalued: (summary: Summary) => string
  readonly files: string
}

const amountText = (amount: string | null, currency: string, fallback: string) =>
  amount === null ? `${currency} ${fallback}` : `${currency} ${amount}`

export const mailTexts: Readonly<Record<MailLocale, MailTexts>> = {
  en: {
    subject: ({ month, wallet }) => `Tax export of ${month} for wallet ${wallet}`,
    intro: ({ month, timezone, wallet }) =>
      `The attached files list the amounts that wallet ${wallet} received, sent and paid in ${month} (time zone ${timezone}).`,
    movements: ({ movements }) => `Movements: ${movements}`,
    gain: ({ gainBrl, gainUsd }) =>
      `Realized gain (first in, first out): ${amountText(gainUsd, "USD", "not known")}, ${amountText(gainBrl, "BRL", "not known")}`,
    unvalued: ({ unvalued }) =>
      unvalued === 0
        ? ""
        : `${unvalued} of the movements have no value in USD or in BRL, because no source has a price for them. The cells of these values and of the gains that depend on them are empty.`,
    files: "Files"
  },
  "pt-BR": {
    subject: ({ month, wallet }) => `Relatório fiscal de ${month} da carteira ${wallet}`,
    intro: ({ month, timezone, wallet }) =>
      `Em anexo está o que a carteira ${wallet} recebeu, enviou e pagou em ${month} (fuso horário ${timezone}).`,
    movements: ({ movements }) => `Movimentações: ${movements}`,
    gain: ({ gainBrl, gainUsd }) =>
      `Ganho realizado, primeiro a entrar, primeiro a sair: ${amountText(gainUsd, "USD", "desconhecido")}, ${amountText(gainBrl, "BRL", "desconhecido")}`,
    unvalued: ({ unvalued }) =>
      unvalued === 0
        ? ""
        : `${unvalued} das movimentações não têm valor em USD ou em BRL, porque nenhuma fonte tem um preço para elas. Essas células estão vazias, assim como os ganhos que dependem delas.`,
    files: "Arquivos"
  }
}
