import { Schema } from "effect"
import type { Month } from "../Period.ts"
import type { TaxDataSet } from "../TaxDataSet.ts"
import { balancesFile, lotsFile, movementsFile } from "./fullLayout.ts"
import { in1888File } from "./in1888Layout.ts"
import { koinlyFile } from "./koinlyLayout.ts"

/**
 * full: movements, balances and lots. koinly: Koinly's universal layout. in1888: the layout of the Brazilian tax
 * authority until June 2026.
 */
export const TaxLayout = Schema.Literals(["full", "koinly", "in1888"])
export type TaxLayout = typeof TaxLayout.Type

/**
 * Returns whether IN RFB 1888 applies. It applies to operations from August 2019. IN RFB 2291/2025 (DeCripto) revoked
 * it on 1 July 2026.
 */
const isUnderIn1888 = (month: Month): boolean => month >= "2019-08" && month < "2026-07"

/** Returns the layouts that apply to the operations of a month. */
export const layoutsOf = (month: Month): ReadonlyArray<TaxLayout> =>
  TaxLayout.literals.filter((layout) => layout !== "in1888" || isUnderIn1888(month))

export interface TaxFile {
  readonly layout: TaxLayout
  readonly name: string
  readonly contentType: string
  readonly content: string
}

const CSV = "text/csv; charset=utf-8"
const PLAIN = "text/plain; charset=utf-8"

interface FileKind extends Pick<TaxFile, "layout" | "contentType"> {
  /** The suffix of the file name. */
  readonly suffix: string
  readonly write: (dataSet: TaxDataSet) => string
}

const kinds: ReadonlyArray<FileKind> = [
  { layout: "full", suffix: "movements.csv", contentType: CSV, write: movementsFile },
  { layout: "full", suffix: "balances.csv", contentType: CSV, write: balancesFile },
  { layout: "full", suffix: "lots.csv", contentType: CSV, write: lotsFile },
  { layout: "koinly", suffix: "koinly.csv", contentType: CSV, write: koinlyFile },
  { layout: "in1888", suffix: "in1888.txt", contentType: PLAIN, write: in1888File }
]

/** Writes the files of these layouts. */
export const taxFiles = (dataSet: TaxDataSet, layouts: ReadonlyArray<TaxLayout>): ReadonlyArray<TaxFile> =>
  kinds
    .filter(({ layout }) => layouts.includes(layout))
    .map(({ contentType, layout, suffix, write }) => ({
      layout,
      name: `${dataSet.period.month}-${suffix}`,
      contentType,
      content: write(dataSet)
    }))
