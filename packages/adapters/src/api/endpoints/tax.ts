import { TaxExports } from "@countersign/core/accounting/tax"
import { Effect } from "effect"
import {
  TaxExportBody,
  TaxExportQuery,
  TaxExportResponse,
  TaxScheduleBody,
  TaxSchedulesResponse,
  taxExportBody,
  taxScheduleBody
} from "../wire/index.ts"
import { endpoint } from "./Endpoint.ts"
import { WALLET } from "./exampleValues.ts"
import { walletPath } from "./walletPath.ts"

const schedule = endpoint({
  id: "tax.schedule",
  method: "POST",
  path: "/api/v1/wallets/:walletAddress/tax-export/schedules",
  summary: "Schedule a monthly tax export by email",
  description:
    "The export of a month is sent a few minutes after the month ends in the schedule's time zone, or later if the service was down. If the mail server temporarily rejects an email, the service sends it again up to ten times in three days. After that it sends the event `tax_export.failed`. A wallet can have one schedule.",
  params: walletPath,
  payload: TaxScheduleBody,
  status: 201,
  errors: [
    "INVALID_TAX_EXPORT_SCHEDULE_TIMEZONE",
    "ACCOUNT_ABSTRACTION_ADDRESS_NOT_REGISTERED_WITH_PROJECT",
    "TAX_EXPORT_SCHEDULE_ALREADY_EXISTS",
    "FAILED_TO_PUBLISH_TAX_EXPORT_SCHEDULE_MESSAGE"
  ],
  scope: "execute",
  cost: null,
  example: {
    parameters: { walletAddress: WALLET },
    body: {
      email: "owner@example.com",
      individual: { type: "individual", individualId: "individual-7" },
      emailCustomization: { senderName: "Example Bank", locale: "pt-BR" },
      recurrencePreset: "MONTHLY_START",
      timezone: "America/Sao_Paulo"
    }
  },
  run: ({ params, payload, project }) =>
    Effect.asVoid(TaxExports.use((exports) => exports.schedule(project.id, params.walletAddress, payload)))
})

const schedules = endpoint({
  id: "tax.schedules",
  method: "GET",
  path: "/api/v1/wallets/:walletAddress/tax-export/schedules",
  summary: "List the schedules of a wallet's tax exports",
  description: "Returns each schedule with its latest export.",
  params: walletPath,
  success: TaxSchedulesResponse,
  responses: "schedules",
  errors: ["ACCOUNT_ABSTRACTION_ADDRESS_NOT_REGISTERED_WITH_PROJECT"],
  scope: "read",
  cost: "read",
  example: { parameters: { walletAddress: WALLET } },
  run: Effect.fnUntraced(function* ({ params, project }) {
    return { schedules: (yield* (yield* TaxExports).list(project.id, params.walletAddress)).map(taxScheduleBody) }
  })
})

const removeSchedule = endpoint({
  id: "tax.removeSchedule",
  method: "DELETE",
  path: "/api/v1/wallets/:walletAddress/tax-export/schedules",
  summary: "Delete a wallet's schedule of tax exports",
  description: "Pending emails are not sent, and the email address is erased.",
  params: walletPath,
  errors: ["ACCOUNT_ABSTRACTION_ADDRESS_NOT_REGISTERED_WITH_PROJECT", "TAX_EXPORT_SCHEDULE_NOT_FOUND"],
  scope: "execute",
  cost: null,
  example: { parameters: { walletAddress: WALLET } },
  run: ({ params, project }) => TaxExports.use((exports) => exports.remove(project.id, params.walletAddress))
})

const exportMonth = endpoint({
  id: "tax.export",
  method: "POST",
  path: "/api/v1/wallets/:walletAddress/tax-export",
  summary: "Export the movements of a month",
  description:
    "Returns every recorded movement of the wallet in the month: its tax category, its value in USD and BRL, and its cost and gain by FIFO (first in, first out). With `email` the export is also sent by email. `docs/tax.md` has an example for each type of operation.",
  params: walletPath,
  query: TaxExportQuery,
  payload: TaxExportBody,
  success: TaxExportResponse,
  errors: [
    "INVALID_TAX_EXPORT_SCHEDULE_TIMEZONE",
    "ACCOUNT_ABSTRACTION_ADDRESS_NOT_REGISTERED_WITH_PROJECT",
    "UPSTREAM_UNAVAILABLE"
  ],
  // The scope is not `read`, because the caller chooses the email address that receives the export.
  scope: "execute",
  cost: "portfolio",
  weightOf: () => 1,
  example: { parameters: { walletAddress: WALLET, format: ["koinly"] }, body: { month: "2026-10" } },
  run: Effect.fnUntraced(function* ({ params, payload, project, query }) {
    const exports = yield* TaxExports
    return taxExportBody(
      yield* exports.export(project.id, params.walletAddress, {
        ...payload,
        layouts: query.format === undefined || query.format.length === 0 ? null : query.format
      })
    )
  })
})

export const tax = { schedule, export: exportMonth, schedules, removeSchedule }
