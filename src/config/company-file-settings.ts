/** Settings of a user's file with companies: which sheet, and which columns hold what. */
import { z } from 'zod';

const header = z.string().min(1).max(500);
const columnOf = (field: string) => header.optional().describe(`Header of the column that holds ${field}`);

const companyColumns = {
  company_name: columnOf('the name of the company'),
  website_url: columnOf('its website or domain'),
  city: columnOf('its city'),
  country: columnOf('its country'),
  external_id: columnOf('your own id of the company'),
};

const ignore = z.array(header).optional().describe('Headers of columns that hold none of these');

const columnsText = 'Headers of the columns, where they differ from the names of the fields: {company_name: Firma}';

export const companyColumnsSchema = z
  .strictObject({ ...companyColumns, ignore })
  .optional()
  .describe(columnsText);

export const exclusionColumnsSchema = z
  .strictObject({
    ...companyColumns,
    reason: columnOf('the reason of the exclusion'),
    expires_at: columnOf('the last day of the exclusion'),
    ignore,
  })
  .optional()
  .describe(columnsText);

/** Excel's own limits; a name that is a number in YAML is taken as text. */
export const sheetSchema = z
  .union([z.string().min(1).max(31), z.int()], { error: 'must be the name of a sheet, 1 to 31 characters' })
  .transform(String)
  .optional()
  .describe('Sheet of the Excel file; the first visible one when left out');

export const headerRowSchema = z
  .int()
  .min(1)
  .max(1_048_576)
  .optional()
  .describe('Row of the Excel file with the headers, from 1; the first row that is not blank when left out');
