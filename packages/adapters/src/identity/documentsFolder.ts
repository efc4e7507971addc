import { join } from "node:path"

/** Where documents are kept unless the operator names another folder. */
export const documentsFolder = (home: string): string => join(home, "documents")
