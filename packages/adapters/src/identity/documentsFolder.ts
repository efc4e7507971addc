import { join } from "node:path"

/** The default folder of documents. */
export const documentsFolder = (home: string): string => join(home, "documents")
